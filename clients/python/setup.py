"""Generates the messages and stubs from the repository's proto/ when the package is built."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
PROTO = HERE.parent.parent / "proto"


class BuildWithStubs(build_py):
    """Adds the generated package `capsweep` to the built files."""

    def run(self):
        super().run()
        import grpc_tools
        from grpc_tools import protoc

        files = sorted((PROTO / "capsweep" / "v1").glob("*.proto"))
        if not files:
            raise RuntimeError(f"no protocol in {PROTO}: install from a copy of the repository")
        out = Path(self.build_lib).resolve()
        include = Path(grpc_tools.__file__).parent / "_proto"
        arguments = [f"-I{PROTO}", f"-I{include}"]
        arguments += [f"--python_out={out}", f"--grpc_python_out={out}"]
        if protoc.main(["protoc", *arguments, *map(str, files)]) != 0:
            raise RuntimeError("the protocol could not be compiled")


setup(cmdclass={"build_py": BuildWithStubs})
