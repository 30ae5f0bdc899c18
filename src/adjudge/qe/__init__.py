"""Confidence without references: how good is a translation, and how sure is that?"""
