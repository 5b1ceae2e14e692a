"""Generates the messages and stubs from the repository's proto/ when the package is built."""

import tempfile
from importlib.metadata import version
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
PROTO = HERE.parent.parent / "proto" / "capsweep" / "v1"


class BuildWithStubs(build_py):
    """Adds the generated package `capsweep_client.v1` to the built files."""

    def run(self):
        super().run()
        from grpc_tools import protoc

        files = sorted(PROTO.glob("*.proto"))
        if not files:
            raise RuntimeError(f"no protocol in {PROTO}: install from a copy of the repository")
        out = Path(self.build_lib).resolve()
        with tempfile.TemporaryDirectory() as folder:
            # The folder names the generated package. `capsweep` is the library's own.
            package = Path(folder) / "capsweep_client" / "v1"
            package.mkdir(parents=True)
            for file in files:
                text = file.read_text(encoding="utf-8")
                text = text.replace('import "capsweep/v1/', 'import "capsweep_client/v1/')
                (package / file.name).write_text(text, encoding="utf-8")
            arguments = [f"-I{folder}", f"--python_out={out}", f"--grpc_python_out={out}"]
            if protoc.main(["protoc", *arguments, *map(str, package.glob("*.proto"))]) != 0:
                raise RuntimeError("the protocol could not be compiled")
        (out / "capsweep_client" / "v1" / "__init__.py").touch()


# Generated code refuses a runtime that is older than its generator.
RUNTIME = [f"grpcio>={version('grpcio-tools')}", f"protobuf>={version('protobuf')}"]

setup(cmdclass={"build_py": BuildWithStubs}, install_requires=RUNTIME)
