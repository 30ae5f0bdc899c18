"""Knowledge of language: tokenizers now; stems, synonyms, trees and embeddings as they come."""
