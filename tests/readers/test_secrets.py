"""No secret gets through; what is no secret stays."""

import re
import shlex
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vllm_triage.readers import secrets
from vllm_triage.readers.launch import blanking
from vllm_triage.readers.launches import read_launches
from vllm_triage.readers.secrets import BLANK, is_secret_name, redact, redact_into, suspects

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


# Pieces that names, marks and keys are made of, so that most texts come near to holding a secret and many hold one.
NEAR = st.lists(
    st.sampled_from([
        "--", "-", "_", "api", "key", "keys", "token", "tokens", "secret", "secrets", "pass", "password", "phrase", "pat", "-pat",
        "pwd", "credential", "max", "hf_", "sk-", "AKIA", "IOSFODNN7", "ghp_", "Bearer ", "://", "@h", "u:p", "?", "&", "sig", "=",
        ": ", " ", "\n", "'", '"', "{", "}", "abcdef0123456789", "ABCDEF12", "$X", "name: ", "value: ", "s", "K", "\u017f", "\u212a",
    ]),
    max_size=24,
).map("".join)  # fmt: skip


def plainly(text: str) -> tuple[str, int]:
    """Every shape tried on the text, whatever stands in it."""
    found: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_suspected", lambda _text, rules: rules)
        return redact_into(text, found), len(found)


@settings(max_examples=300, deadline=None)
@given(NEAR)
def test_a_look_ahead_for_what_can_be_in_a_text_loses_no_secret(text: str) -> None:
    text = text.replace("\u017f", "s").replace("\u212a", "k")  # letters that only patterns take for s and k
    assert redact(text) == plainly(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(NEAR, max_size=6))
def test_one_look_at_a_whole_text_answers_for_its_parts(parts: list[str]) -> None:
    rules = suspects("\n".join(parts))
    for part in parts:
        found: list[str] = []
        assert (redact_into(part, found, rules), len(found)) == redact(part)


@settings(max_examples=100, deadline=None)
@given(st.lists(NEAR.filter(lambda word: word.strip() and "\n" not in word), max_size=6))
def test_words_come_out_as_when_each_is_looked_at_by_itself(words: list[str]) -> None:
    command = shlex.join(["vllm", "serve", "org/model-7b", *words])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blanking, "suspects", lambda _text: secrets._rules())
        one_by_one = read_launches(command)
    assert read_launches(command) == one_by_one


def test_counted_tokens_are_not_looked_at_as_secrets() -> None:
    assert suspects("--max-num-batched-tokens 8192 --max-model-len 16k --kv-cache-dtype fp8 num_speculative_tokens: 3") == ()
    assert suspects("tokensecret=abc") != ()


@pytest.mark.parametrize("name", ["sig", "signature", "access_token", "secret"])
def test_a_signed_address_is_blanked_however_short_it_is(name: str) -> None:
    assert redact(f"http://h/m?a=1&{name}=s3cr3tvalue")[0] == f"http://h/m?a=1&{name}={BLANK}"
