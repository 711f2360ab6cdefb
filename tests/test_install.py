"""What `make` installs: the lock agrees with requirements.txt and holds on every system, and which
build of PyTorch is taken where.
"""

import re
import sys
import zipfile

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import install
from tests.conftest import ROOT

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)
SYSTEMS = [
    {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"},
    {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "aarch64"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
    {"sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64"},
]
PYTHONS = ["3.11.2", "3.11.7", "3.12.1", "3.13.0"]


def pins():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return {canonicalize_name(name): version for name, version in PIN.findall(text)}


def locked():
    """[(requirement, its hashes)] of requirements.lock."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lines = [line for line in text.replace("\\\n", " ").splitlines() if line[:1] not in ("", "#")]
    return [
        (Requirement(line.split(" --hash=")[0]), re.findall(r"--hash=sha256:(\w{64})", line))
        for line in lines
    ]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda one: " ".join(one.values()))
def test_the_lock_holds_each_pin_once_on_every_system_and_python(python, system):
    """After a change of requirements.txt: `make lock`."""
    environment = default_environment() | system
    environment["os_name"] = "nt" if system["sys_platform"] == "win32" else "posix"
    environment["python_full_version"] = python
    environment["python_version"] = python.rpartition(".")[0]
    here = [one for one, _ in locked() if not one.marker or one.marker.evaluate(environment)]
    versions = {canonicalize_name(one.name): str(one.specifier) for one in here}
    assert len(versions) == len(here), "a package stands in the lock twice"
    wanted = {name: f"=={version}" for name, version in pins().items() if name != "torch"}
    assert {name: versions.get(name) for name in wanted} == wanted, "run 'make lock'"


def test_every_package_of_the_lock_has_hashes_and_one_version():
    for requirement, hashes in locked():
        assert hashes and re.fullmatch(r"==[\w.!+]+", str(requirement.specifier)), requirement


def test_the_lock_leaves_pytorch_and_its_libraries_for_gpus_to_install_py():
    names = {canonicalize_name(one.name) for one, _ in locked()}
    assert not [name for name in names if name.startswith(("torch", "nvidia-", "cuda-", "triton"))]
    assert {"sympy", "jinja2", "fsspec"} <= names  # what every build of PyTorch needs


def test_soupsieve_is_one_that_debians_python_can_import():
    """Releases from 3.0.2 on need Python 3.11.5; some before it break formgrader on 3.11.2."""
    found = [one for one, _ in locked() if one.name == "soupsieve"]
    old = default_environment() | {"python_full_version": "3.11.2"}
    (version,) = [str(one.specifier) for one in found if one.marker.evaluate(old)]
    assert version.startswith("==2.")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """An index with a stub of the small build, a course whose lock is empty, and the commands that
    pip was given.
    """

    class Machine:
        index = tmp_path / "index"
        asked = []
        gpu = False

        def holds(self, version):
            page = self.index / "torch"
            page.mkdir(parents=True, exist_ok=True)
            wheel, info = f"torch-{version}-py3-none-any.whl", f"torch-{version}.dist-info"
            with zipfile.ZipFile(page / wheel, "w") as file:
                file.writestr("torch.py", f"version = {version!r}\n")
                meta = f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n"
                file.writestr(f"{info}/METADATA", meta)
                tag = "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\n"
                file.writestr(f"{info}/WHEEL", f"{tag}Tag: py3-none-any\n")
                file.writestr(f"{info}/RECORD", "")
            (page / "index.html").write_text(f'<a href="{wheel}">{wheel}</a>')

        @property
        def torch(self):
            """What pip was asked for at last, or None where PyTorch was not asked for."""
            last = [words for words in self.asked if words[0] == "install"][-1][1:]
            return None if last[0] == "--require-hashes" else last

    made = Machine()
    made.asked = []
    made.holds(f"{pins()['torch']}+cpu")
    really = install.pip

    def pip(*words, silent=False):
        made.asked.append(words)
        asks = words[0] == "index"
        return really(*words, silent=True) if asks else really("--version", silent=True)

    monkeypatch.setattr(install, "pip", pip)
    monkeypatch.setattr(install, "SMALL", made.index.as_uri())
    monkeypatch.setattr(install, "small_will_do", lambda: not made.gpu)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return made


TORCH = f"torch=={pins()['torch']}"


def test_the_lock_comes_first_and_must_have_its_hashes(machine):
    assert install.main([]) == 0
    assert machine.asked[0] == (
        *("install", "--require-hashes", "-r"),
        str(ROOT / "requirements.lock"),
    )


def test_without_a_gpu_the_small_build_is_taken_where_its_index_answers(machine, capsys):
    assert install.main([]) == 0
    assert machine.torch == (f"{TORCH}+cpu", "--index-url", install.SMALL)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("why", ["no index", "another version", "no network"])
def test_where_it_does_not_answer_the_plain_one_is_taken_and_its_size_said(
    machine, monkeypatch, capsys, why
):
    if why == "another version":
        (machine.index / "torch" / "index.html").write_text("")
        machine.holds("1.0+cpu")
    else:
        address = "file:///nowhere" if why == "no index" else "http://127.0.0.1:9/whl/cpu"
        monkeypatch.setattr(install, "SMALL", address)
    assert install.main([]) == 0
    assert machine.torch == (TORCH,)
    said = capsys.readouterr().out
    assert said.startswith("No NVIDIA GPU is found") and install.WITH_CUDA in said
    assert said.count("\n") == 1


def test_with_a_gpu_nobody_asks_for_the_small_build(machine):
    machine.gpu = True
    assert install.main([]) == 0
    assert machine.torch == (TORCH,) and not [one for one in machine.asked if one[0] == "index"]


def test_one_variable_chooses(machine, capsys):
    assert install.main(["--torch", "plain"]) == 0 and machine.torch == (TORCH,)
    machine.gpu = True
    assert install.main(["--torch", "cpu"]) == 0
    assert machine.torch == (f"{TORCH}+cpu", "--index-url", install.SMALL)
    other = "https://download.pytorch.org/whl/cu126"
    assert install.main(["--torch", other]) == 0
    assert machine.torch == (TORCH, "--index-url", other)
    with pytest.raises(SystemExit):
        install.main(["--torch", "gpu"])
    assert "not 'gpu'" in capsys.readouterr().err


def test_the_small_build_that_must_be_and_cannot_is_an_error(machine, monkeypatch, capsys):
    monkeypatch.setattr(install, "SMALL", "file:///nowhere")
    assert install.main(["--torch", "cpu"]) == 1
    assert machine.torch is None and "make TORCH=plain" in capsys.readouterr().out


def test_pip_really_installs_from_that_index(tmp_path, machine, monkeypatch):
    monkeypatch.undo()
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "here"))
    monkeypatch.setattr(install, "SMALL", machine.index.as_uri())
    monkeypatch.setattr(install, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text((ROOT / "requirements.txt").read_text("utf-8"))
    (tmp_path / "requirements.lock").write_text("# nothing\n")
    assert install.main(["--torch", "cpu"]) == 0
    text = (tmp_path / "here" / "torch.py").read_text()
    assert text == f"version = '{pins()['torch']}+cpu'\n"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PyPI's build is small")
@pytest.mark.parametrize("says, small", [("exit 0", False), ("exit 9", True), (None, True)])
def test_a_gpu_is_one_that_nvidias_tool_lists(tmp_path, monkeypatch, says, small):
    if any((install.Path("/proc/driver/nvidia/gpus")).glob("*")):
        pytest.skip("this machine has one")
    if says:
        tool = tmp_path / "nvidia-smi"
        tool.write_text(f"#!/bin/sh\n{says}\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    if not says and install.shutil.which("nvidia-smi"):
        pytest.skip("this machine has the tool")
    assert install.small_will_do() == small


def test_workflows_name_each_action_by_its_commit():
    """A tag can be moved by whoever owns the action; a commit cannot."""
    used = [
        line.partition("uses:")[2].strip()
        for path in sorted(ROOT.glob(".github/workflows/*.yml"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert used
    loose = [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", one)]
    assert not loose, f"owner/action@<40 hex digits> # version expected: {loose}"
