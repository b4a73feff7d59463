from verdicts.harness import fires, quiet

VISION = "Qwen/Qwen3-VL-8B-Instruct"


def test_the_device_is_the_language_models() -> None:
    fires("processor-on-device", f"""{VISION} --mm-processor-kwargs '{{"device":"cuda","size":1}}'""", "0.28.0")
    quiet("processor-on-device", f"{VISION} --mm-processor-device cpu", "0.29.0")


def test_an_encoder_alone_has_the_device_for_itself() -> None:
    encoder = """--ec-transfer-config '{"ec_connector":"ECExampleConnector","ec_role":"ec_producer"}'"""
    quiet("processor-on-device", f"""{VISION} {encoder} --mm-processor-kwargs '{{"device":"cuda"}}'""", "0.29.0")
