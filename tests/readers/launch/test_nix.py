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
