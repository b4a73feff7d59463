"""What is shipped: the wheel and the sdist, built by the build backend itself, hold the prompts and the skill."""

import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="the build backend is not installed here")

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
REFERENCES = ("bottlenecks.md", "house-rules.md", "metrics.md", "tools.md")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))


def test_the_wheel_holds_the_prompts_and_the_skill_with_working_links(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"vllm_triage/prompts/{path.name}" for path in (ROOT / "prompts").glob("*.j2")} <= names
    assert "vllm_triage/skill/SKILL.md" in names
    assert {f"vllm_triage/skill/skill/references/{name}" for name in REFERENCES} <= names
    assert "vllm_triage/report/schemas.json" in names
    assert "vllm_triage/py.typed" in names


def test_the_wheel_is_small_and_owns_one_name(wheel: Path) -> None:
    assert wheel.stat().st_size < 3_000_000
    tops = {name.split("/", 1)[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"vllm_triage"}


def test_the_wheel_finds_its_data_when_unpacked(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)  # noqa: S202 - built a moment ago
    source = (tmp_path / "vllm_triage" / "data.py").read_text(encoding="utf-8")
    found: dict[str, object] = {"__file__": str(tmp_path / "vllm_triage" / "data.py")}
    exec(compile(source, "data.py", "exec"), found)  # noqa: S102 - our own module, under the path it has when installed
    assert found["prompts"]() == tmp_path / "vllm_triage" / "prompts"  # type: ignore[operator]
    assert (found["skill"]() / "SKILL.md").is_file()  # type: ignore[operator]


def test_the_sdist_holds_what_the_tests_need(tmp_path: Path) -> None:
    sdist = Path(next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path))))
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    wanted = ("SKILL.md", "README.md", "prompts/scheduler_diagnosis.j2", "skill/references/tools.md",
              "tests/test_skill.py", "examples/seqs4/command.txt", "tools/build_schemas.py",
              "server/vllm_triage/surfaces/cli.py")
    assert [name for name in wanted if name not in names] == []
