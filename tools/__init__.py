"""What is done with the project rather than by it: the ladder zip, win rates."""
