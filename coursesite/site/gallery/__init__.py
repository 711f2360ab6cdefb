"""The gallery "What is wrong here?": wrong answers of the bank are run, what comes out is drawn."""
