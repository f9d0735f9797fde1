"""What messages say: the option, the member, the place; and that line breaks in text files
shift no place."""

import base64
import hashlib
import json

from frame import contains, equal, main, make_openssl_key, openssl, read, sigmill, write
from model import Key, b64url, pem
from rows import changed, good_rows, text_of


def error(*arguments, **more):
    return sigmill(*arguments, code=2, **more).errors


def test_options_say_what_is_allowed():
    for words, allowed in (
        (["verify", "--digest", "sha1"], "sha256 (default), sha384 or sha512"),
        (["sign", "--digest=sha1"], "sha256 (default), sha384 or sha512"),
        (["batch", "--threads", "0"], "1 to 1024"),
        (["batch", "--threads", "1025"], "1 to 1024"),
        (["batch", "--output", "text"], "bytes"),
        (["batch", "--input", "csv"], "ndjson or binary"),
        (["verify", "--format", "asn1"], "compressed-r"),
        (["hint", "--to", "raw"], "full-r"),
        (["sign", "--sig-encoding", "hexa"], "hex or base64"),
        (["convert", "sig", "--out-encoding", "hexa"], "hex, base64"),
        (["pubkey", "--key-format", "spki"], "pem, der, sec1, hex, jwk, cose or raw"),
        (["keygen", "--format", "spki-pem"], "pem"),
    ):
        option, _, value = words[-1].partition("=") if "=" in words[-1] else ("", "", "")
        option, value = option or words[-2], value or words[-1]
        contains(error(*words), option, '"%s"' % value, allowed)
    contains(error("pubkey", "a", "b"), "operand", "b")
    contains(error("convert", "x", "--to", "der"), "sig or key", "x")
    contains(error("convert", "key", "--to", "x", "k"), "--to", '"x"', "hex-uncompressed")


def test_errors_before_a_command_as_json():
    for words in (["bogus", "--json"], ["--json"]):
        told = sigmill(*words, code=2).json()
        equal((told["command"], told["verdict"]), (None, "error"))
        equal(told["reason"], "usage")
        assert told["text"]
    equal(sigmill("bogus", "--", "--json", code=2).out, b"")


def test_rows_of_the_measuring_tool():
    """A size that the table does not have is to be asked for otherwise."""
    told = error("speed", "--rows", "p256-verify-batch/64")
    contains(told, "--rows p256-verify-batch --sizes 64")
    told = error("speed", "--rows", "p256-sign,p256-*-batch/7", "--list")
    contains(told, '"p256-*-batch/7"', "--sizes 7")
    for glob in ("p256-verify/64", "sha256/100", "p256-verify-batch/x", "nothing", "/8"):
        contains(error("speed", "--list", "--rows", glob), '"%s"' % glob, "--list names")
    names = ["speed", "--list", "--rows", "p256-verify-batch", "--sizes"]
    once = sigmill(*names, "8,64").text
    contains(once, "p256-verify-batch/8 ", "p256-verify-batch/64 ")
    equal(sigmill(*names, "8,8,64,8,64").text, once)
    equal(sigmill(*names, "8," * 20 + "64").text, once)
    many = ",".join(str(size) for size in range(1, 18))
    contains(error(*names, many), many)
    for sizes in ("1,,2", ",1", "1,", ",", ""):
        contains(error(*names, sizes), "will not do: %s " % sizes)
    for globs in ("p256-sign,,p256-hint", ",p256-sign", "p256-sign,"):
        contains(error("speed", "--list", "--rows", globs), "will not do: %s " % globs)


def test_jwk_members_are_named():
    good = Key(1).jwk(private=True)
    for change, want, byte in (
        ({"kty": None}, 'member "kty" is missing', 0),
        ({"crv": None}, 'member "crv" is missing', 0),
        ({"x": None}, 'member "x" is missing', 0),
        ({"y": None}, 'member "y" is missing', 0),
        ({"kty": "RSA"}, 'kty is "RSA"', None),
        ({"crv": "P-384"}, 'crv is "P-384"', None),
        ({"alg": "ES384"}, 'alg is "ES384"', None),
        ({"x": 5}, '"x" must be a string, not a number', None),
        ({"y": {}}, '"y" must be a string, not an object', None),
        ({"y": "abc"}, '"y" has 3 characters', None),
        ({"x": "+" + good["x"][1:]}, '"x": no character of base64url', None),
        ({"x": good["x"] + "="}, '"x"', None),
    ):
        jwk = changed(good, **change)
        for text in (json.dumps(jwk), "\ufeff" + json.dumps(jwk)):
            write("k.jwk", text)
            contains(error("pubkey", "k.jwk"), "k.jwk: byte ", want)
        told = sigmill("pubkey", "--json", "k.jwk", code=2).json()
        contains(told["text"], want, "byte %d:" % told["byte"])
        write("k.jwk", json.dumps(jwk))
        if byte is not None:
            equal(sigmill("pubkey", "--json", "k.jwk", code=2).json()["byte"], byte)
        for key in (jwk, json.dumps(jwk)):
            row = changed(good_rows()[0], key=key)
            line = sigmill("batch", data=text_of([row]), code=2).lines()[0]
            contains(line["text"], 'member "key"', want)
    write("k.jwk", json.dumps(good)[:-1] + ',"k":{"y":1},"y":"a"}')
    contains(error("pubkey", "k.jwk"), 'member "y" stands twice')
    write("k.jwk", json.dumps(changed(good, d=None)))
    contains(error("sign", "--key", "k.jwk", data="m"), 'member "d" is missing')
    write("k.jwk", json.dumps(changed(good, d="abc")))
    contains(error("sign", "--key", "k.jwk", data="m"), 'member "d" has 3 characters')


def test_token_headers_are_named():
    write("k.pem", Key(1).pem())
    for header, want in (
        ('{"alg":"HS256"}', 'alg is "HS256", ES256 wanted'),
        ('{"alg":"none"}', 'alg is "none", ES256 wanted'),
        ('{"alg":"a\\u001b[1m"}', 'alg is "a?[1m"'),
        ('{"typ":"JWT"}', 'member "alg" is missing'),
        ('{"alg":256}', '"alg" must be a string, not a number'),
        ('{"alg":"ES256","crit":["x"]}', "crit"),
        ('{"alg":"ES256","b64":false}', "b64"),
        ('{"alg":"ES256","kid":"1","kid":"2"}', 'member "kid" stands twice'),
    ):
        token = ".".join((b64url(header.encode()), b64url(b"p"), b64url(bytes(64))))
        write("t", token)
        contains(error("verify", "--key", "k.pem", "--format", "jws", "t"), "t: ", want)
        row = {"key": Key(1).compressed.hex(), "format": "jws", "sig": token}
        line = sigmill("batch", data=text_of([row]), code=2).lines()[0]
        contains(line["text"], 'member "sig", byte ', want)


def test_the_wrong_kind_of_key_is_named():
    make_openssl_key()
    subject = ["-new", "-x509", "-subj", "/CN=x", "-days", "1"]
    openssl("req", *subject, "-key", "key.pem", "-out", "cert.pem")
    openssl("x509", "-in", "cert.pem", "-outform", "DER", "-out", "cert.der")
    contains(error("sign", "--key", "pub.pem", data="m"), "a PUBLIC KEY where", "private")
    contains(error("sign", "--key", "cert.pem", data="m"), "a CERTIFICATE", "private")
    contains(error("pubkey", "cert.pem"), "a CERTIFICATE where", "public")
    contains(error("sign", "--key", "cert.der", data="m"), "certificate", "private")
    contains(error("pubkey", "cert.der"), "certificate")
    for name in ("secp384r1", "secp521r1", "secp256k1", "secp224r1"):
        openssl("ecparam", "-name", name, "-genkey", "-noout", "-out", "other.pem")
        contains(error("pubkey", "other.pem"), "curve is not P-256")
    write("secret", Key(1).secret)
    contains(error("pubkey", "secret"), "--key-format raw")
    write("secret", b"\x30" + Key(1).secret[1:])
    contains(error("pubkey", "secret"), "--key-format raw")
    write("secret", Key(1).secret.hex())
    contains(error("pubkey", "secret"), "--key-format raw")


def test_places_in_rows():
    good = changed(good_rows()[0], format="raw", msg="m")
    for name in ("msg", "msg_hex", "msg_b64", "digest"):
        good.pop(name, None)
    k = Key(1)
    raw = k.signature(hashlib.sha256(b"m").digest(), "raw")
    der = k.signature(hashlib.sha256(b"m").digest(), "der")
    good.update(key=k.compressed.hex(), sig=raw.hex(), msg="m", hash="sha256")
    good["format"] = "raw"

    def row(**changes):
        return changed(good, **changes)

    big = 5000
    for spoilt, place, words in (
        (row(key=5), 'member "key"', "not a number"),
        (row(msg=5), 'member "msg" must be a string, not a number', ""),
        (row(sig=[1]), 'member "sig" must be a string, not an array', ""),
        (row(format=True), 'member "format" must be a string, not a boolean', ""),
        (5, "a number, where a JSON object", ""),
        (row(sig="g" + raw.hex()[1:]), 'member "sig", byte 0:', "hexadecimal"),
        (row(sig=raw.hex()[:-1] + "g"), 'member "sig", byte 127:', "hexadecimal"),
        (row(sig=b64url(raw)[:-1] + "!"), 'member "sig", byte 85:', "base64"),
        (row(sig=b64url(raw)[:-1] + "_"), 'member "sig", byte 85:', "belong to no byte"),
        (row(format="der", sig=der.hex() + "0"), "byte %d:" % (2 * len(der) + 1), "odd"),
        (row(format="der", sig="M!"), 'member "sig", byte 1:', "neither"),
        (row(format="der", sig="MEUC="), 'member "sig", byte 4:', "padding"),
        (row(format="der", sig=der.hex()[:-2]), 'member "sig", decoded byte ', "ends"),
        (row(key="no key"), 'member "key", byte 2:', "neither"),
        (row(key="AAAAB"), 'member "key", byte 5:', "left over"),
        (row(key=good["key"][:9] + "g" + good["key"][10:]), 'member "key", byte 9:', "hex"),
        (row(key=good["key"] + "0"), 'member "key", byte 67:', "odd"),
        (row(msg=None, msg_hex="abc"), 'member "msg_hex", byte 3:', "odd"),
        (row(msg=None, msg_hex="abxd"), 'member "msg_hex", byte 2:', "digit"),
        (row(msg=None, msg_hex="ab" * big + "c"), "byte %d:" % (2 * big + 1), "odd"),
        (row(msg=None, msg_b64="abcde"), 'member "msg_b64", byte 5:', "left over"),
        (row(msg=None, msg_b64="AAAA" * big + "A"), "byte %d:" % (4 * big + 1), "left"),
        (row(msg=None, msg_b64="AAA=" * big), 'member "msg_b64", byte 3:', "padding"),
        (row(msg=None, msg_b64="AA A"), 'member "msg_b64", byte 2:', "no character"),
        (row(msg=None, digest="0g"), 'member "digest", byte 1:', "digit"),
    ):
        result = sigmill("batch", data=json.dumps(spoilt) + "\n", code=2)
        contains(result.lines()[0]["text"], place, words)


def wraps(text):
    """The text as base64 and xxd -p and others write it."""
    for width in (1, 10, 60, 76):
        lines = [text[i : i + width] for i in range(0, len(text), width)]
        for end in ("\n", "\r\n"):
            yield end.join(lines)
            yield end.join(lines) + end
            yield end + end.join(lines) + end + end


def test_wrapped_text_files():
    key = Key(2)
    digest = hashlib.sha512(b"m").digest()
    sig = key.signature(digest[:32], "der")
    write("pub", key.compressed.hex())
    write("sig", sig)
    words = ["verify", "--format", "der", "--digest", "sha512"]
    for encoding, text in (("hex", sig.hex()), ("base64", base64.b64encode(sig).decode())):
        for wrapped in wraps(text):
            write("s", wrapped)
            more = ["--sig", "s", "--sig-encoding", encoding]
            sigmill(*words, "--key", "pub", *more, data="m")
    words += ["--sig", "sig"]
    for wrapped in wraps(digest.hex()):
        write("d", wrapped)
        sigmill(*words, "--key", "pub", "--prehashed", "d")
    for wrapped in wraps(key.uncompressed.hex()):
        write("k", wrapped)
        sigmill(*words, "--key", "k", data="m")
    for wrapped in wraps(key.secret.hex()):
        write("k", wrapped)
        sigmill(*words, "--key", "k", "--key-format", "raw", data="m")
        got = sigmill("keygen", "--secret-file", "k", "--format", "raw").out
        equal(got, key.secret)
    # Rows are strict; a lone CR and a blank are no line break.
    halves = key.compressed.hex()[:30] + "%s" + key.compressed.hex()[30:]
    for between in ("\r", " ", "\t"):
        write("k", halves % between)
        error("pubkey", "--key-format", "hex", "k")
    row = {"key": halves % "\n", "format": "der", "sig": sig.hex(), "msg": "m"}
    line = sigmill("batch", data=text_of([row]), code=2).lines()[0]
    contains(line["text"], 'member "key", byte 30:')


def test_places_in_wrapped_files():
    key = Key(3)
    sig = key.signature(hashlib.sha256(b"m").digest(), "raw")
    write("pub", key.compressed.hex())
    words = ["verify", "--key", "pub", "--format", "raw", "--sig", "s", "--sig-encoding"]
    for encoding, text in (("hex", sig.hex()), ("base64", base64.b64encode(sig).decode())):
        for wrapped in wraps(text):
            for at in (0, len(wrapped) // 2, len(wrapped) - 3):
                if wrapped[at] in "\r\n=":
                    continue
                write("s", wrapped[:at] + "*" + wrapped[at + 1 :])
                contains(error(*words, encoding, data="m"), "s: byte %d: " % at)
    write("s", "ab\ncde\n\n")
    contains(error(*words, "hex", data="m"), "s: byte 6: ")
    contains(error(*words, "base64", data="m"), "s: byte 6: ")
    write("k", key.secret.hex()[:40] + "\r\n" + key.secret.hex()[40:-1] + "x\n")
    told = error("pubkey", "--key-format", "raw", "k")
    contains(told, "k: byte 65: ")
    digits = hashlib.sha256(b"m").hexdigest()
    write("d", digits[:60] + "\n" + digits[60:-1] + "x\n")
    write("secret", key.secret)
    contains(error("sign", "--key", "secret", "--prehashed", "d"), "d: byte 64: ")


if __name__ == "__main__":
    main(globals())
