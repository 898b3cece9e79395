"""Virtual environments made from the locked requirements, and kept until those change.

Packages are installed by uv where that is on the PATH, and otherwise by pip, which takes five times
as long.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements"
# What an editable installation of Byline depends on, in addition to the locks.
INSTALLED_FROM = [ROOT / "pyproject.toml", ROOT / "src" / "byline" / "__init__.py"]


def run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a command; if it fails, end with its exit code, for it has said why itself."""
    code = subprocess.run(command, cwd=cwd, check=False).returncode
    if code:
        sys.exit(code)


@dataclass(frozen=True)
class Environment:
    """A folder ``.venv-NAME``, in the checkout or where BYLINE_VENVS says.

    Attributes
    ----------
    name : str
    locks : tuple of str
        Files in ``requirements/``, installed one after the other.
    download : str
        How much there is to download, for the person who waits.
    base : Environment, optional
        One whose packages, Byline among them, are this one's too.
    """

    name: str
    locks: tuple[str, ...]
    download: str
    base: Environment | None = None

    @property
    def folder(self) -> Path:
        """The environment's place."""
        return Path(os.environ.get("BYLINE_VENVS", ROOT)).resolve() / f".venv-{self.name}"

    def program(self, name: str) -> Path:
        """Find a program of this environment, such as ``python``."""
        return self.folder / ("Scripts/" + name + ".exe" if os.name == "nt" else "bin/" + name)

    def ready(self) -> Environment:
        """Make the environment, unless it stands as the locks want it, and install Byline."""
        stamp, digest = self.folder / "byline-stamp", self._digest()
        if stamp.is_file() and stamp.read_text() == digest and self.program("python").exists():
            return self
        print(f"Installing into {self.folder}; to download, once: {self.download}.", flush=True)
        self.create()
        if self.base is None:
            self.install("--no-build-isolation", "--no-deps", "--editable", ROOT)
        stamp.write_text(digest)
        return self

    def create(self) -> None:
        """Make the environment afresh, with what the locks name and nothing else."""
        _need_venv()
        pip = ["--without-pip"] if self._uv else []
        run(sys.executable, "-m", "venv", "--clear", *pip, self.folder)
        if self.base is not None:
            beneath = str(self.base.ready()._packages)
            line = f"import site; site.addsitedir({beneath!r})\n"
            (self._packages / "base.pth").write_text(line, encoding="utf-8")
        for lock in self.locks:
            # What is locked with hashes is all there is to install. Left to resolve it once more,
            # pip takes the newest lxml for `lxml[html_clean]`, and then finds it is not the locked.
            exact = ["--no-deps"] if _has_hashes(lock) else []
            self.install(*exact, "--requirement", REQUIREMENTS / lock)

    def install(self, *arguments: str | Path) -> None:
        """Install packages; a failure ends the program with the likely cure."""
        # Most of what is installed is never imported; what is, is compiled then, if that is kept.
        compiled = "--compile-bytecode" if self._uv else "--compile"
        if not sys.dont_write_bytecode:
            compiled = compiled.replace("--", "--no-")
        self.manage("install", compiled, *arguments)

    def manage(self, command: str, *arguments: str | Path) -> None:
        """Run uv or pip on this environment; a failure ends the program with the likely cure."""
        python = self.program("python")
        program: list[str | Path] = [python, "-m", "pip", "-qq", "--disable-pip-version-check"]
        program.append(command)
        if self._uv:
            program = [self._uv, "pip", command, "--quiet", "--python", python]
        if subprocess.run([*program, *arguments], check=False).returncode:
            sys.exit(
                f"`pip {command}` failed in {self.folder}; it says why above. Most often it is the"
                " network or a full disk: correct that and run the same command again."
            )

    @property
    def _uv(self) -> str | None:
        """The program uv; not for packages without hashes, for which pip's settings matter."""
        return shutil.which("uv") if all(map(_has_hashes, self.locks)) else None

    @property
    def _packages(self) -> Path:
        base = str(self.folder)
        return Path(sysconfig.get_path("purelib", "venv", {"base": base, "platbase": base}))

    def _digest(self) -> str:
        """Fingerprint all that the environment was made from."""
        files = [*(REQUIREMENTS / lock for lock in self.locks), *INSTALLED_FROM]
        trained_from = [sys.version.encode(), bytes(self.folder), bytes(ROOT)]
        trained_from += [path.read_bytes() for path in files]
        trained_from += [self.base._digest().encode()] if self.base else []
        return hashlib.sha256(b"\0".join(trained_from)).hexdigest()


def _has_hashes(lock: str) -> bool:
    return "--hash=" in (REQUIREMENTS / lock).read_text(encoding="utf-8")


def _need_venv() -> None:
    missing = [name for name in ("venv", "ensurepip") if not importlib.util.find_spec(name)]
    if missing:
        version = "{}.{}".format(*sys.version_info)
        sys.exit(
            f"{sys.executable} cannot make virtual environments: it lacks {' and '.join(missing)}."
            f"\nDebian, Ubuntu: sudo apt install python{version}-venv. Elsewhere: a Python from"
            " python.org has both."
        )
