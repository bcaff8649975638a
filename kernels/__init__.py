"""Where arrays live and operators run: one device a file or folder. No Qt, and no CUDA until it is asked for."""
