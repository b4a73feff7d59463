"""No secret gets through; what is no secret stays."""

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.readers.launches import read_launches
from vllm_triage.readers.secrets import BLANK, is_secret_name, redact

# Built from pieces, so that no scanner takes a test for a leak.
SHAPED = [
    "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz12345678",
    "sk-" + "proj-abcdef1234567890",
    "sk-" + "abcdefgh",
    "ghp_" + "0123456789abcdefghij0123456789abcdef",
    "github_pat_" + "11ABCDEFG0abcdefghij",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "xoxb-" + "1234567890-abcdefghij",
    "glpat-" + "abcdefghij0123456789",
    "nvapi-" + "abcdefghij0123456789",
    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def_123",
]


@pytest.mark.parametrize("secret", SHAPED, ids=lambda s: s[:8])
@pytest.mark.parametrize("around", ["{}", "see {} here", '"{}"', "x={}&y", "Authorization: Bearer {}", "['{}']"])
def test_a_key_is_known_by_its_shape_wherever_it_stands(secret: str, around: str) -> None:
    clean, count = redact(around.format(secret))
    assert secret not in clean
    assert count >= 1


@pytest.mark.parametrize(
    "text",
    [
        "--api-key s3cr3t-value",
        "--api_key=s3cr3t-value",
        "--api-key 's3cr3t-value'",
        'API_KEY="s3cr3t-value"',
        "export OPENAI_API_KEY=s3cr3t-value",
        "HF_TOKEN: s3cr3t-value",
        '"api_key": "s3cr3t-value"',
        "password=s3cr3t-value",
        '{\\"token\\": \\"s3cr3t-value\\"}',
        "DB_PASSWORD_MAIN=s3cr3t-value",
        "AWS_SECRET_ACCESS_KEY=s3cr3t-value",
        "- name: MY_SECRET\n  value: s3cr3t-value",
        "https://user:s3cr3t-value@host/path",
        "https://s3cr3t-value@host/path",
        "curl -H 'Authorization: Bearer s3cr3t-value'",
        "https://host/x?access_token=s3cr3t-value&b=1",
        "GITHUB_PAT=s3cr3t-value",
        "S3_KEY=s3cr3t-value",
        "--hf-token s3cr3t-value",
        "PGPASSWORD=s3cr3t-value",
        "proxy: http://u:s3cr3t-value@10.0.0.1:3128",
        "WANDB_API_KEY=s3cr3t-value,OTHER=1",
    ],
)
def test_a_value_is_blanked_by_the_name_it_is_given_to(text: str) -> None:
    clean, count = redact(text)
    assert "s3cr3t-value" not in clean
    assert BLANK in clean
    assert count >= 1


@pytest.mark.parametrize(
    "text",
    [
        "--max-num-batched-tokens 8192",
        "--max-num-batched-tokens=8192",
        "num_speculative_tokens: 3",
        "--tokenizer org/tok",
        "--hf-overrides '{}' --hf_overrides x --hf-config-path y",
        "kv_cache_dtype=fp8",
        "HF_TOKEN=$HF_TOKEN",
        "--api-key $KEY",
        "--api-key ${VLLM_API_KEY}",
        "--api-key <API_KEY>",
        "https://huggingface.co/org/model",
        "max_tokens=16",
        "token: null",
        '"classifier_from_token": ["no", "yes"]',
        '{"config_key":"value"}',
        '"eos_token": "</s>"',
        "--served-model-name task-1b",
        "basic configurations are required",
        "HF_HUB_ENABLE_HF_TRANSFER=1",
        "{{ .Values.apiKey }}",
        "key: nvidia.com/gpu",
        "image: vllm/vllm-openai@sha256:0123",
        "VLLM_USE_V1=1",
        "git@github.com:org/repo",
    ],
)
def test_what_is_no_secret_stays_as_it_is(text: str) -> None:
    assert redact(text) == (text, 0)


def test_a_private_key_is_blanked_whole() -> None:
    body = "MIIBVgIBADANBgkqhkiG9w0BAQEFAASCAUAwggE8"
    kind = "PRIVATE KEY-----"
    clean, count = redact(f"a\n-----BEGIN RSA {kind}\n{body}\n-----END RSA {kind}\nb")
    assert body not in clean
    assert clean.startswith("a\n")
    assert clean.endswith("b")
    assert count == 1


def test_names_of_secrets_are_told_from_names_that_look_alike() -> None:
    assert all(
        map(
            is_secret_name, ["--api-key", "HF_TOKEN", "OPENAI_API_KEY", "password", "ssl-keyfile-password", "S3_SECRET"]
        )
    )
    assert not any(
        map(is_secret_name, ["--max-num-batched-tokens", "tokenizer", "--ssl-keyfile", "eos_token", "PATH", "model"])
    )


VALUES = st.text(string.ascii_letters + string.digits + "-_./+=", min_size=8, max_size=40).filter(
    lambda v: (
        re.search(r"\d", v) and re.search(r"[a-z]", v) and not v.startswith("-") and v.lower() not in BLANK.lower()
    )
)
NAMES = st.sampled_from(
    ["HF_TOKEN", "OPENAI_API_KEY", "MY_SECRET", "DB_PASSWORD", "AWS_SECRET_ACCESS_KEY", "X_ACCESS_TOKEN"]
)
FORMS = st.sampled_from(
    [
        "{name}={value} vllm serve org/m-7b --port 8000",
        "export {name}={value}\nvllm serve org/m-7b --api-key ${name}",
        "export {name}='{value}'\nvllm serve org/m-7b --ssl-keyfile ${name}",
        "vllm serve org/m-7b --api-key {value} --port 8000",
        "vllm serve org/m-7b --api-key={value}",
        "docker run -e {name}={value} vllm/vllm-openai:v0.18.0 --model org/m-7b",
        "X=${{{name}:-{value}}}\nvllm serve org/m-7b --api-key $X",
        (
            "services:\n  v:\n    image: vllm/vllm-openai:v0.18.0\n"
            "    environment:\n      {name}: {value}\n    command: [--model, m/x]"
        ),
        (
            "kind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai:v0.18.0\n"
            "    args: ['--api-key {value}', --model, m/x]"
        ),
        "[Service]\nEnvironment={name}={value}\nExecStart=vllm serve org/m-7b",
        "from vllm import LLM\nLLM(model='org/m-7b', hf_token='{value}')",
        "model: org/m-7b\nmax-model-len: 8192\napi-key: {value}",
        "nothing here but {name}={value} and vllm",
        "vllm serve org/m-7b --api-key '{value}",
        "if true; then {name}={value}; fi\n{name}=other-value-1\nvllm serve org/m-7b --x ${name}",
    ]
)


@settings(max_examples=150, deadline=None)
@given(form=FORMS, name=NAMES, value=VALUES)
def test_no_output_of_the_reader_holds_a_secret_that_was_pasted(form: str, name: str, value: str) -> None:
    paste = read_launches(form.format(name=name, value=value))
    shown = paste.model_dump_json()
    assert value not in shown
    assert paste.redacted >= ("nothing here" not in form)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_redacted_without_error_and_a_second_time_changes_nothing_but_blanks(text: str) -> None:
    clean, _ = redact(text)
    again, _ = redact(clean)
    assert len(again) <= len(clean) + 400
    assert redact(again)[0].count(BLANK) == again.count(BLANK)
