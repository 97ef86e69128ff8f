"""The words of a seal: 256 nouns that are told apart over a telephone, one for each value of a byte.

No word begins another or sounds like another, and any two differ in three letters or more. The list is part of every
seal that was ever made: it never changes.
"""

from __future__ import annotations

from minis.errors import bad

_LIST = """
acorn album anchor apple apricot arrow artist atlas attic autumn avocado bagel balloon bamboo banjo beaver
bedroom bicycle biscuit blanket blossom bonfire bottle bracelet branch bridge buffalo button cabin cactus camera
canoe captain carpet castle chapel cherry cinema circus clock cobra coconut coffee comet compass coyote cradle
cricket crystal cucumber cushion cyclone daisy dancer diamond doctor dolphin donkey dragon drum dungeon echo
elbow elephant emerald engine envelope evening falcon farmer feather fiddle finger flag flamingo forest fossil
fox freckle furnace galaxy garden gazelle giraffe glacier glove goblet goldfish granite gravel guitar hammock
harvest hedgehog helmet heron hornet hospital hotel husky iceberg igloo infant iris island ivory jaguar jasmine
jelly jigsaw journal juggler jukebox kangaroo kayak kennel ketchup keyboard kimono kitchen koala ladder lagoon
lantern laundry leopard lettuce library lobster lunch mackerel magnet magpie mammoth marble meadow mermaid
mirror mosquito napkin nectar needle nephew nickel notebook nugget nurse nutmeg oasis ocean octopus onion opera
orange orbit orchard ostrich otter owl oxygen pagoda painter palace pancake papaya paprika parcel peacock peanut
pebble pelican pencil penguin piano picnic pilot pirate potato pretzel puppet puzzle pyramid python quarry quilt
quiver rabbit radish railway rainbow rhubarb ribbon rubber sailboat salad sandwich sapphire sardine satchel
sausage school seagull shepherd shrimp silver skeleton snail snorkel snowman soldier spider sponge spoon
squirrel stadium stomach summer sundial sunset tadpole tapestry teapot temple tennis thunder tornado tortoise
treasure triangle trombone trumpet tulip turkey turtle ukulele umbrella uncle uniform valley vampire vanilla
village vinegar violin volcano vulture waffle walnut wedding window wizard wolf wombat workshop zeppelin zipper
"""

WORDS = tuple(_LIST.split())
"""Every word, in the order of the alphabet."""


def words_of(digest: bytes, count: int) -> tuple[str, ...]:
    """The words of the first `count` bytes of a digest; raises BadInput for a digest that is shorter.

    >>> words_of(bytes([0, 1, 255, 7]), 3)
    ('acorn', 'album', 'zipper')
    >>> words_of(b"", 1)
    Traceback (most recent call last):
    minis.errors.BadInput: expected 1 bytes or more to put into words, not 0
    """
    if len(digest) < count:
        raise bad(f"expected {count} bytes or more to put into words, not {len(digest)}")
    return tuple(WORDS[value] for value in digest[:count])
