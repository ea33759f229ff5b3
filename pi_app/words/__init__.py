"""What is said: sentences, and the texts and times in them."""
