#!/usr/bin/env python3
"""Makes the fonts of this folder, but for the icons, from the full fonts; README.md says how to call it."""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

# Latin to Extended-B and Extended Additional (Vietnamese), modifiers, Greek with polytonic letters, Cyrillic,
# punctuation, superscripts, currencies, arrows, mathematical operators, technical signs, geometric shapes, check marks.
CHARACTERS = (
    "0020-007E 00A0-024F 02BC 02C6-02DD 0300-030F 0326-0328 0370-03FF 0400-045F 0490-0493 1E00-1EFF 1F00-1FFF "
    "2000-206F 2070-209C 20A0-20BF 2116 2122 2190-21FF 2200-22FF 2300-23FF 25A0-25FF 2605-2606 2610-2612 2713-2718"
)

# Letters, marks, punctuation and digits of Arabic and its neighbours, and of Hebrew; shapes of joined letters follow from these.
RIGHT_TO_LEFT = {
    "Arabic": "0020 00A0 060C-061F 0621-063A 0640-065F 0660-066F 0670-06D3 06D5 06F0-06F9 200C-200F",
    "Hebrew": "0020 00A0 0591-05C7 05D0-05EA 05F0-05F4 200E-200F FB1D-FB4F",
}
RIGHT_TO_LEFT_FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "rlig", "init", "medi", "fina", "isol", "calt"]

# Without calt, which would show the code «A->B» as an arrow and «3x3» as a product.
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "tnum", "case"]


def make(source: Path, target: Path) -> None:
    font = TTFont(source, recalcTimestamp=False)
    use_tabular_digits(font)
    cut(font, target, CHARACTERS, FEATURES)


def cut(font: TTFont, target: Path, characters: str, features: list[str]) -> None:
    options = subset.Options()
    options.layout_features = features
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.recommended_glyphs = True
    options.desubroutinize = True
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(characters.replace(" ", ",")))
    subsetter.subset(font)
    font.save(target)


def use_tabular_digits(font: TTFont) -> None:
    """Digits of equal width by default: neither egui nor usvg can ask for the feature `tnum`."""
    table = font["GSUB"].table
    lookups = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    tabular = {}
    for index in lookups:
        for found in table.LookupList.Lookup[index].SubTable:
            found = getattr(found, "ExtSubTable", found)
            tabular.update(getattr(found, "mapping", {}))
    for characters in font["cmap"].tables:
        if characters.isUnicode():
            for digit in range(ord("0"), ord("9") + 1):
                if digit in characters.cmap:
                    characters.cmap[digit] = tabular.get(characters.cmap[digit], characters.cmap[digit])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: make.py FOLDER_WITH_THE_FULL_INTER_FONTS FOLDER_WITH_THE_NOTO_FONTS")
    here = Path(__file__).parent
    for name in ["Inter-Regular.otf", "Inter-SemiBold.otf"]:
        make(Path(sys.argv[1]) / name, here / name)
    for script, characters in RIGHT_TO_LEFT.items():
        for weight in ["Regular", "Bold"]:
            name = f"NotoSans{script}-{weight}.ttf"
            font = TTFont(Path(sys.argv[2]) / name, recalcTimestamp=False)
            cut(font, here / name, characters, RIGHT_TO_LEFT_FEATURES)
