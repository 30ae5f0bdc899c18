"""Tests of whether people prefer one of two systems; which one is made follows from what is drawn."""
