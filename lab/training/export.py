"""Packs trees.json and lexica.json into the model file of the service. See trees.ts for the format."""

import argparse
import base64
import json
from pathlib import Path

import numpy as np

LEAF = 0xFFFF
LEAF_STEP = 1 / 8192
ODDS_STEP = 1 / 16


def encode(values, kind):
    return base64.b64encode(np.asarray(values, dtype=kind).tobytes()).decode()


def preorder(node, nodes):
    """Appends a tree: the left child ("less than the cut") follows its parent."""
    if "leaf" in node:
        nodes.append(["leaf", node["leaf"], 0])
        return
    at = len(nodes)
    nodes.append([int(node["split"][1:]), node["split_condition"], 0])
    children = {child["nodeid"]: child for child in node["children"]}
    preorder(children[node["yes"]], nodes)
    nodes[at][2] = len(nodes) - at
    preorder(children[node["no"]], nodes)


def depth_of(node):
    return 0 if "leaf" in node else 1 + max(depth_of(child) for child in node["children"])


def pack_trees(trees, calm, columns):
    flat = []
    sizes = []
    for tree in trees:
        nodes = []
        preorder(tree, nodes)
        sizes.append(len(nodes))
        flat += nodes
    cuts = [sorted({np.float32(cut) for feature, cut, _ in flat if feature == f}) for f in range(columns)]
    assert columns <= 512 and max(len(c) for c in cuts) < 128
    index = [{cut: at for at, cut in enumerate(c)} for c in cuts]
    return {
        "depth": max(depth_of(tree) for tree in trees),
        "sizes": encode(sizes, np.uint16),
        "features": encode([LEAF if f == "leaf" else f for f, _, _ in flat], np.uint16),
        "cuts": encode([0 if f == "leaf" else index[f][np.float32(cut)] for f, cut, _ in flat], np.uint8),
        "values": encode(
            [round(calm * value / LEAF_STEP) if f == "leaf" else right for f, value, right in flat], np.int16
        ),
        "cutCounts": encode([len(c) for c in cuts], np.uint8),
        "cutValues": encode([cut for c in cuts for cut in c], np.float32),
    }


def pack_lexicon(learned):
    assert not any(" " in token for token in learned["tokens"])
    return {
        "tokens": " ".join(learned["tokens"]),
        "odds": encode([round(odds / ODDS_STEP) for odds in learned["odds"]], np.int8),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    columns = json.loads((args.folder / "pages.json").read_text())["columns"]
    lexica = json.loads((args.folder / "lexica.json").read_text())
    learned = json.loads((args.folder / "trees.json").read_text())
    model = {
        "license": "Learned from pages of WCXB (CC-BY-4.0, (c) 2026 Murrough Foley) and others: see lab/training/README.md.",
        "columns": columns,
        "names": pack_lexicon(lexica["names"]),
        "words": pack_lexicon(lexica["words"]),
        "trees": pack_trees(learned["trees"], learned["calm"], columns),
    }
    args.output.write_text(json.dumps(model, indent=1, ensure_ascii=False) + "\n")
    print(f"{args.output}: {args.output.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
