"""Modules of NixOS."""

import pytest

from vllm_triage.readers.launches import read_launches


@pytest.mark.parametrize("service", [
    "ExecStart = ''\n  ${pkgs.vllm}/bin/vllm serve m/x \\\n    --port 1\n'';",
    'ExecStart = "${pkgs.vllm}/bin/vllm serve m/x --port 1";',
    'ExecStart = lib.concatStringsSep " " [ "${pkgs.vllm}/bin/vllm" "serve" "m/x" "--port 1" ];',
])  # fmt: skip
def test_a_service_is_read(service: str) -> None:
    text = f'systemd.services.v = {{\n  environment = {{ A = "1"; }};\n  serviceConfig = {{\n    {service}\n  }};\n}};'
    (launch,) = read_launches(text).launches
    assert (launch.source, launch.words) == ("nix", ("m/x", "--port", "1"))
    assert launch.env == {"A": "1"}


def test_a_container_is_read() -> None:
    text = """virtualisation.oci-containers.containers.v = {
      image = "vllm/vllm-openai:v0.18.0";
      cmd = [ "--model" "m/x" "--port" "1" ];
      environment = { A = "1"; };
    };"""
    (launch,) = read_launches(text).launches
    assert (launch.words, launch.version, launch.env) == (("--model", "m/x", "--port", "1"), "0.18.0", {"A": "1"})


def test_names_the_module_binds_are_filled_in_and_others_left_open() -> None:
    text = """let model = "m/x"; len = 4096;
  run = pkgs.writeShellScript "v" ''
    exec ${pkgs.vllm}/bin/vllm serve ${model} --max-model-len ${toString len} --port ${if a then "1" else "2"} --n ${cfg.n}
  '';
in { }""".replace("; len", ";\n  len").replace("let model", "let\n  model")
    (launch,) = read_launches(text).launches
    assert launch.words[:3] == ("m/x", "--max-model-len", "4096")
    assert launch.words[3] == "--port"
    assert launch.words[-2:] == ("--n", "$cfg_n")
    assert "cfg_n" in launch.unset


def test_texts_inside_what_is_evaluated_do_not_end_the_text() -> None:
    text = 'systemd.services.v.serviceConfig.ExecStart = "${lib.optionalString w "${pkgs.a}/b "}${pkgs.vllm}/bin/vllm serve m/x --port 1";'
    (launch,) = read_launches(text).launches
    assert launch.words == ("m/x", "--port", "1")


def test_a_listed_environment_is_read() -> None:
    text = 'serviceConfig = { ExecStart = "${pkgs.vllm}/bin/vllm serve m/x -tp 2"; Environment = [ "A=1" "B=%h/c" ]; };'
    (launch,) = read_launches(text).launches
    assert launch.env == {"A": "1", "B": "%h/c"}
