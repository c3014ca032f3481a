"""Trains the trees that tell what a shop calls its product from other numbers, and prints cross-validation by site."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import xgboost as xgb

sys.path.insert(0, str(Path(__file__).parent.parent))
from export import pack_trees  # noqa: E402

FOLDS = 5


def train(rows, labels, weight, args):
    parameters = {
        "objective": "binary:logistic", "max_depth": args.depth, "eta": args.eta, "min_child_weight": args.child,
        "colsample_bynode": args.colsample, "subsample": 0.8, "max_bin": 64, "tree_method": "hist", "nthread": 1,
        "seed": 1, "base_score": 0.5,
    }
    return xgb.train(parameters, xgb.DMatrix(rows, label=labels, weight=weight), args.rounds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=80)
    parser.add_argument("--eta", type=float, default=0.08)
    parser.add_argument("--child", type=float, default=2)
    parser.add_argument("--colsample", type=float, default=0.4)
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    pages = [p for p in json.loads((args.folder / "prices.json").read_text()) if p["skuRows"]]
    rows = np.array([row for page in pages for row in page["skuRows"]], dtype=np.float32)
    labels = np.array([label for page in pages for label in page["skuLabels"]], dtype=np.float32)
    index = np.array([at for at, page in enumerate(pages) for _ in page["skuRows"]])
    fold = np.array([page["fold"] for page in pages])[index]
    known = np.array([page["hasSku"] for page in pages])[index]
    count = np.bincount(index)
    weight = 3 / np.sqrt(count[index])
    scores = np.zeros(len(labels))
    for part in range(FOLDS):
        others = known & (fold != part)
        learned = train(rows[others], labels[others], weight[others], args)
        scores[fold == part] = learned.predict(xgb.DMatrix(rows[fold == part]))
    results = []
    for at, page in enumerate(pages):
        if not page["hasSku"]:
            continue
        mine = np.flatnonzero(index == at)
        top = mine[scores[mine].argmax()]
        results.append((labels[top], labels[mine].max(), scores[top]))
        if args.misses and not labels[top]:
            print(page["id"], page["wantedSkus"], [(s, round(float(scores[m]), 2)) for s, m in zip(page["skus"], mine)])
    results = np.array(results)
    print(f"right {results[:, 0].mean():.3f}, possible {results[:, 1].mean():.3f} of {len(results)}")
    (args.folder / "sku-scores.json").write_text(
        json.dumps({page["id"]: [round(float(s), 4) for s in scores[index == at]] for at, page in enumerate(pages)})
    )
    if args.model:
        model = json.loads(args.model.read_text())
        learned = train(rows[known], labels[known], weight[known], args)
        trees = [json.loads(tree) for tree in learned.get_dump(dump_format="json")]
        model["skus"] = {"columns": rows.shape[1], "trees": pack_trees(trees, 1, rows.shape[1])}
        args.model.write_text(json.dumps(model, indent=1) + "\n")


main()
