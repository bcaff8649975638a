"""Benches: measurements that anyone can repeat, one file each."""
