"""Rows for the tests of sigmill batch: good ones in every form, and spoilt ones with the
answer that each must get."""

import base64
import functools
import hashlib
import json

from model import Key, N, b64url, be, der_signature

FORMATS = ("raw", "low-s", "der", "recoverable", "compressed-r", "full-r")
KEYS = 8


@functools.lru_cache(maxsize=None)
def key(i):
    return Key(100 + i)


def key_text(k, form):
    return {
        0: k.compressed.hex(),
        1: k.uncompressed.hex().upper(),
        2: base64.b64encode(k.compressed).decode(),
        3: b64url(k.uncompressed),
        4: base64.b64encode(k.spki()).decode(),
        5: k.pem(),
        6: k.jwk(),
        7: base64.b64encode(k.cose()).decode(),
    }[form % 8]


@functools.lru_cache(maxsize=None)
def good_rows():
    """Rows in every form of key, signature and message, all valid."""
    rows = []
    for i in range(96):
        k, form = key(i % KEYS), FORMATS[i % len(FORMATS)]
        message = 'line %d: \u00fc \U0001f600 "quoted" \\ \n' % i
        name = ("sha256", "sha384", "sha512")[i % 3]
        digest = hashlib.new(name, message.encode()).digest()
        sig = k.signature(digest, form)
        row = {
            "id": "row-%d" % i,
            "time": "2024-01-01",
            "key": key_text(k, i // 3),
            "format": form,
            "sig": sig.hex() if i % 2 else base64.b64encode(sig).decode(),
        }
        if name != "sha256" or i % 2:
            row["hash"] = name
        way = i // 8 % 4
        if way == 0:
            row["msg"] = message
        elif way == 1:
            row["msg_hex"] = message.encode().hex()
        elif way == 2:
            row["msg_b64"] = base64.b64encode(message.encode()).decode()
        else:
            row["digest"] = digest.hex()
        rows.append(row)
    return rows


def text_of(rows):
    return "".join(
        (row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows
    )


def changed(row, **members):
    row = {**row, **members}
    return {name: value for name, value in row.items() if value is not None}


def flip(text, at):
    return text[:at] + ("1" if text[at] != "1" else "2") + text[at + 1 :]


def spoilt_rows():
    """(row, verdict, reason) for every way in which a row can be wrong."""
    k = key(0)
    digest = hashlib.sha256(b"hello").digest()
    r, s, _ = k.sign(digest, high=False)
    good = {
        "id": 1,
        "key": k.compressed.hex(),
        "format": "raw",
        "sig": (be(r) + be(s)).hex(),
        "msg": "hello",
    }
    der = der_signature(r, s)
    low = k.signature(digest, "recoverable")
    full = k.signature(digest, "full-r")
    bad_point = flip(k.uncompressed.hex(), 100)
    yield good, "valid", None
    yield changed(good, msg="hullo"), "invalid", "sig_equation"
    yield changed(good, key=key(1).compressed.hex()), "invalid", "sig_equation"
    yield changed(good, sig=flip(good["sig"], 60)), "invalid", "sig_equation"
    yield changed(good, sig=(bytes(32) + be(s)).hex()), "invalid", "sig_r"
    yield changed(good, sig=(be(N) + be(s)).hex()), "invalid", "sig_r"
    yield changed(good, sig=(be(r) + bytes(32)).hex()), "invalid", "sig_s"
    yield changed(good, format="der", sig=der_signature(0, s).hex()), "invalid", "sig_r"
    yield changed(good, format="der", sig=der_signature(r, N).hex()), "invalid", "sig_s"
    high = k.signature(digest, "low-s", high=True)
    yield changed(good, format="low-s", sig=high.hex()), "invalid", "sig_high_s"
    yield changed(good, sig=high.hex()), "valid", None
    yield changed(
        good, format="recoverable", sig=(b"\x1b" + low[1:]).hex()
    ), "invalid", "sig_recid"
    yield changed(
        good, format="recoverable", sig=bytes([low[0] ^ 1, *low[1:]]).hex()
    ), "invalid", "sig_equation"
    yield changed(
        good, format="full-r", sig=flip(full.hex(), 100)
    ), "invalid", "sig_point"
    yield changed(good, sig=good["sig"][:-2]), "malformed", "sig_length"
    yield changed(good, sig=good["sig"] + "00"), "malformed", "sig_length"
    yield changed(good, sig=""), "malformed", "sig_length"
    yield changed(good, sig="g" + good["sig"][1:]), "malformed", "hex"
    yield changed(good, sig="*" + b64url(be(r) + be(s))[1:]), "malformed", "base64"
    yield changed(good, format="der", sig=der.hex() + "00"), "malformed", "trailing"
    yield changed(good, format="der", sig=der.hex()[:-2]), "malformed", "truncated"
    yield changed(good, format="der", sig="30" + der.hex()), "malformed", None
    yield changed(good, format="der", sig=der.hex()[:-1]), "malformed", "hex"
    yield changed(good, format="der", sig="30" * 3000), "malformed", "too_long"
    yield changed(good, format="der", sig="!"), "malformed", "text"
    yield changed(good, format="asn1"), "malformed", "row_value"
    yield changed(good, format=7), "malformed", "row_type"
    yield changed(good, format=None), "malformed", "row_missing"
    yield changed(good, sig=None), "malformed", "row_missing"
    yield changed(good, key=None), "malformed", "row_missing"
    yield changed(good, msg=None), "malformed", "row_missing"
    yield changed(good, sig=["a"]), "malformed", "row_type"
    yield changed(good, sig=5), "malformed", "row_type"
    yield changed(good, msg=5), "malformed", "row_type"
    yield changed(good, key=5), "malformed", "row_type"
    yield changed(good, id={"a": 1}), "malformed", "row_type"
    yield changed(good, digest=digest.hex()), "malformed", "row_message"
    yield changed(good, msg_hex=b"hello".hex()), "malformed", "row_message"
    yield changed(good, hash="md5"), "malformed", "row_value"
    yield changed(good, hash="sha384"), "invalid", "sig_equation"
    yield changed(good, msg=None, msg_hex="68656c6c6f"), "valid", None
    yield changed(good, msg=None, msg_hex="68656c6c6"), "malformed", "hex"
    yield changed(good, msg=None, msg_hex="68656c6c6x"), "malformed", "hex"
    yield changed(good, msg=None, msg_b64="aGVsbG8="), "valid", None
    yield changed(good, msg=None, msg_b64="aGVsbG8"), "valid", None
    yield changed(good, msg=None, msg_b64="aGVsbG9="), "malformed", "base64"
    yield changed(good, msg=None, msg_b64="aGVs!G8="), "malformed", "base64"
    yield changed(good, msg=None, digest=digest.hex()), "valid", None
    yield changed(good, msg=None, digest=digest.hex()[:-2]), "invalid", "sig_equation"
    yield changed(good, msg=None, digest=digest.hex()[:-1]), "malformed", "digest_length"
    yield changed(good, msg=None, digest=digest.hex() * 3), "malformed", "digest_length"
    yield changed(good, msg=None, digest=""), "malformed", "digest_length"
    yield changed(good, msg=None, digest="x" + digest.hex()[1:]), "malformed", "hex"
    yield changed(
        good, msg=None, digest=digest.hex(), hash="sha512"
    ), "malformed", "digest_length"
    yield changed(good, key=bad_point), "malformed", "key_point"
    yield changed(good, key="05" + k.uncompressed.hex()[2:]), "malformed", "key_prefix"
    yield changed(good, key="02" + "ff" * 32), "malformed", "key_range"
    yield changed(good, key=k.compressed.hex()[:-2]), "malformed", "key_length"
    yield changed(good, key=""), "malformed", None
    yield changed(good, key="no key at all!"), "malformed", "text"
    yield changed(good, key=k.pem() + k.pem()), "malformed", "pem_blocks"
    yield changed(good, key={**k.jwk(), "crv": "P-384"}), "malformed", "curve"
    yield changed(good, key={}), "malformed", "member_missing"
    yield changed(good, key="A" * 20000), "malformed", "too_long"
    yield changed(
        good, key=base64.b64encode(k.spki() + b"\0").decode()
    ), "malformed", None
    yield json.dumps(good)[:-1], "malformed", "row_json"
    yield json.dumps(good) + "x", "malformed", "row_json"
    yield "", "malformed", "row_empty"
    yield "   \t", "malformed", "row_empty"
    yield "nonsense", "malformed", "row_json"
    yield "[1]", "malformed", "row_json"
    yield '"text"', "malformed", "row_json"
    yield '{"a":"\\ud800"}', "malformed", "row_json"
    yield json.dumps(good)[:-1] + ',"msg":"hello"}', "malformed", "row_duplicate"
    yield json.dumps(good)[:-1] + ',"id":1}', "malformed", "row_duplicate"
    yield json.dumps(good)[:-1] + ',"unknown":{"deep":[1,2]},"unknown":3}', "valid", None
    yield changed(good, id=None), "valid", None
    text = b64url(b'{"alg":"ES256"}') + "." + b64url(b"claims")
    token = (
        text + "." + b64url(k.signature(hashlib.sha256(text.encode()).digest(), "raw"))
    )
    as_token = {"key": k.compressed.hex(), "format": "jws", "sig": token}
    yield as_token, "valid", None
    yield changed(as_token, key=key(1).compressed.hex()), "invalid", "sig_equation"
    yield changed(as_token, sig=token + "."), "malformed", "jws_parts"
    yield changed(as_token, sig=token[:-3]), "malformed", None
    yield changed(as_token, msg="m"), "malformed", "row_message"
