"""The source archive: what builds the wheel, without tests, which need the whole repository."""

from __future__ import annotations

from setuptools.command.egg_info import egg_info


class LeanSources(egg_info):  # type: ignore[misc]
    """Collects the archive's files; setuptools would add some of the tests, which cannot run."""

    def find_sources(self) -> None:
        super().find_sources()
        self.filelist.prune("tests")
        # pyproject.toml names this module, so a wheel that is made of the archive needs it.
        self.filelist.extend(
            ["hardware/__init__.py", "hardware/package/__init__.py", "hardware/package/source.py"]
        )
