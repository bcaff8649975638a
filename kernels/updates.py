"""The constants of Adam on every device, as suggested by Kingma and Ba (2015)."""

BETA1 = 0.9
BETA2 = 0.999
EPSILON = 1e-8
