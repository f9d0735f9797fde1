"""Compiles the programs that trace kernels, and runs them."""

import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent / "src"
COMPILER = os.environ.get("CC") or "cc"
FLAGS = ["-std=c11", "-O0", "-Wall", "-Wextra", "-ffunction-sections"]
LINKING = ["-Wl,--gc-sections"]


class Broken(Exception):
    """The program does not compile, or does not run to its end."""


def trace(program, before=(), flags=()):
    """What a program prints.  before: folders searched before src."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "trace")
        includes = ["-I%s" % path for path in (*before, SOURCE, HERE)]
        command = [COMPILER, *FLAGS, *flags, *includes, str(program), "-o", out]
        done = subprocess.run(command + LINKING, capture_output=True, text=True)
        if done.returncode:
            raise Broken(done.stderr)
        try:
            done = subprocess.run([out], capture_output=True, text=True, timeout=20)
        except subprocess.TimeoutExpired as error:
            raise Broken("no end") from error
        if done.returncode:
            raise Broken("exit %d" % done.returncode)
        return done.stdout
