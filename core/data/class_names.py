"""Class names of the known data sets."""

DIGITS = tuple("0123456789")

CLOTHES = (
    "T-shirt",
    "Trousers",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Sneaker",
    "Bag",
    "Ankle boot",
)
