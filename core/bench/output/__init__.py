"""The rows of a benchmark as files and charts."""
