"""Adam's constants, as Kingma and Ba (2015) suggest them; every device uses these."""

BETA1 = 0.9
BETA2 = 0.999
EPSILON = 1e-8
