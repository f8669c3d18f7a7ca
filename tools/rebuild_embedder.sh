#!/bin/sh
# Rebuild the static embedder from nothing: packages, pairs, table, figures. See tools/README.md.
set -eu
cd "$(dirname "$0")/.."
work=.training
python="${PYTHON:-.venv/bin/python}"
export PYTHONPATH=server OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONHASHSEED=0

"$python" tools/packages.py fetch
rm -rf "$work/pairs"
"$python" tools/mine_pairs.py
[ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet torch==2.13.0 numpy==2.4.6
"$work/venv/bin/python" tools/train_embedder.py --full "$work/full_table.npz"
"$python" benchmarks/embedder.py search
"$python" benchmarks/embedder.py search --weights "$work/full_table.npz"
"$python" benchmarks/embedder.py speed
