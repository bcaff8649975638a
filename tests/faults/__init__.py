"""Looks for faults: damaged files, what a class hands around, odd command lines, the window, killed
programs.

`python -m tests.faults` runs a short form, `python -m tests.faults --full` the complete campaign.
No input may cause a traceback, take over 5 s, take more memory than 300 MB and four times its size,
or lose a saved model.
"""
