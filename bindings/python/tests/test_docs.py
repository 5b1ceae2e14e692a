"""The documentation runs: docstrings, the guide, the README, the examples; and types check."""

import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys

import pytest

import capsweep
from conftest import PACKAGE, ROOT

MODULES = ["capsweep"] + [
    f"capsweep.{module.name}"
    for module in pkgutil.iter_modules(capsweep.__path__)
    if module.name not in ("_core", "ray")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_public_things_have_docstrings():
    for name in capsweep.__all__:
        thing = getattr(capsweep, name)
        if isinstance(thing, type) or callable(thing):
            assert thing.__doc__, name
    for kind in (capsweep.Scene, capsweep.Crowd, capsweep.Validator, capsweep.Chains):
        for name in dir(kind):
            if callable(getattr(kind, name)) and not name.startswith("_"):
                assert getattr(kind, name).__doc__, name


EXAMPLES = {
    capsweep.Scene: [
        "sweep", "sweep_any", "sweep_all", "overlap", "overlaps", "overlap_all", "closest", "ray",
        "supports", "liquid", "depenetrate", "save", "triangles", "bodies_in", "add_mesh",
        "add_height_field", "add_box", "add_liquid",
    ],
    capsweep.Crowd: ["tick", "move", "details", "teleport", "resize", "free", "add", "remove",
                     "separate"],
    capsweep.Validator: ["start"],
    capsweep.Chains: ["displace", "knock_back"],
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_calls_have_examples(kind):
    assert ">>>" in kind.__doc__ or kind is capsweep.Chains
    for name in EXAMPLES[kind]:
        assert ">>>" in getattr(kind, name).__doc__, name


def blocks(path):
    """The Python of a document. Lines that name a file that readers bring are left out."""
    text = path.read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.S)


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_documents_run(document, tmp_path):
    found = blocks(ROOT / document)
    assert found
    program = "import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(found)
    # Readers have a level; here it is the course, which the CLI could have built.
    capsweep.course().save(tmp_path / "level.capsweep")
    program = program.replace("level.glb", "level.capsweep")
    (tmp_path / "document.py").write_text(program)
    done = subprocess.run([sys.executable, "document.py"], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted(path.name for path in (PACKAGE / "examples").glob("*.py")))
def test_examples(name, tmp_path):
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run([sys.executable, PACKAGE / "examples" / name, "--quick"], cwd=tmp_path,
                          capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_types_of_the_package():
    """The package passes mypy's strict mode, and its users get its types."""
    source = PACKAGE / "python" / "capsweep"
    if not source.exists():
        pytest.skip("no source tree")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", source], cwd=PACKAGE,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_names_what_the_native_half_has():
    tree = ast.parse((PACKAGE / "python" / "capsweep" / "_core.pyi").read_text())

    def names(nodes):
        return {node.name for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))}

    def public(thing):
        return {name for name in dir(thing) if not name.startswith("__")}

    values = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert names(tree.body) | values - {"__version__"} == public(capsweep._core)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            listed = {name for name in names(node.body) if not name.startswith("__")}
            assert listed == public(getattr(capsweep._core, node.name)), node.name


def test_the_stub_has_the_parameters_of_the_native_half():
    tree = ast.parse((PACKAGE / "python" / "capsweep" / "_core.pyi").read_text())
    functions = [(capsweep._core, node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    for kind in tree.body:
        if isinstance(kind, ast.ClassDef):
            owner = getattr(capsweep._core, kind.name)
            functions += [(owner, node) for node in kind.body if isinstance(node, ast.FunctionDef)]
    for owner, node in functions:
        thing = owner if node.name == "__init__" else getattr(owner, node.name)
        listed = [argument.arg for argument in node.args.args if argument.arg != "self"]
        found = [name for name in inspect.signature(thing).parameters if name != "self"]
        assert listed == found, f"{owner.__name__}.{node.name}"
