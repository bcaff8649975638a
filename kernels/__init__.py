"""Devices, where arrays live and operators run: one package each. No Qt, and no CUDA until a device
is opened.
"""
