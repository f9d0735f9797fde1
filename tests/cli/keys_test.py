"""Key files in and out: openssl's in every framing, JWK, COSE_Key, SEC1, broken ones."""

import base64
import json
import os
import stat

from frame import contains, equal, main, make_openssl_key, openssl, read, sigmill, write
from model import Key, pem

POINT_FORMATS = ("compressed", "uncompressed", "hex", "hex-uncompressed")


def public_point(path, *more):
    """The uncompressed point that the program reads from a file."""
    return sigmill("pubkey", "--format", "uncompressed", *more, path).out


def openssl_point(path):
    """The point at the end of openssl's SPKI."""
    der = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")
    return der[-65:]


def new_point():
    make_openssl_key()
    return openssl_point("key.pem")


def test_public_keys_of_openssl():
    point = new_point()
    openssl("pkey", "-in", "key.pem", "-pubout", "-out", "pub.pem")
    openssl("pkey", "-in", "key.pem", "-pubout", "-outform", "DER", "-out", "pub.der")
    openssl(
        "ec", "-in", "key.pem", "-pubout", "-conv_form", "compressed", "-out", "small.pem"
    )
    openssl(
        "ec",
        "-in",
        "key.pem",
        "-pubout",
        "-conv_form",
        "compressed",
        "-outform",
        "DER",
        "-out",
        "small.der",
    )
    openssl("pkey", "-pubin", "-in", "pub.pem", "-pubout", "-text", "-out", "text.pem")
    for name in ("pub.pem", "pub.der", "small.pem", "small.der", "text.pem"):
        equal(public_point(name), point, name)
    write("crlf.pem", read("pub.pem").replace(b"\n", b"\r\n"))
    write("short.pem", read("pub.pem").rstrip(b"\n"))
    equal(public_point("crlf.pem"), point)
    equal(public_point("short.pem"), point)


def test_private_keys_of_openssl():
    point = new_point()
    write("msg", "m")
    openssl("pkey", "-in", "key.pem", "-outform", "DER", "-out", "key.der")
    openssl("ec", "-in", "key.pem", "-out", "ec.pem")
    openssl("ec", "-in", "key.pem", "-outform", "DER", "-out", "ec.der")
    openssl("ec", "-in", "key.pem", "-conv_form", "compressed", "-out", "ec_small.pem")
    openssl("ec", "-in", "key.pem", "-no_public", "-out", "ec_bare.pem")
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", "ec_bare.pem", "-out", "bare.pem")
    parameters = openssl("ecparam", "-name", "prime256v1")
    write("with_parameters.pem", parameters + read("ec.pem"))
    for name in (
        "key.pem",
        "key.der",
        "ec.pem",
        "ec.der",
        "ec_small.pem",
        "ec_bare.pem",
        "bare.pem",
        "with_parameters.pem",
    ):
        equal(public_point(name), point, name)
        sigmill("sign", "--key", name, "--out", "sig.der", "msg")
        sigmill("verify", "--key", name, "--sig", "sig.der", "msg")
    openssl("ecparam", "-genkey", "-name", "prime256v1", "-out", "generated.pem")
    contains(read("generated.pem").decode(), "EC PARAMETERS")
    equal(public_point("generated.pem"), openssl_point("generated.pem"))


def test_keys_that_ask_for_hours():
    """A sealed file names the cost of opening it: an absurd one is refused at once."""
    point = new_point()
    seal = ("pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:x", "-outform", "DER")
    openssl(*seal, "-iter", "65536", "-out", "sealed.der")
    equal(public_point("sealed.der", "--passin=pass:x"), point)
    count, most = bytes.fromhex("0203010000"), bytes.fromhex("02037fffff")
    equal(read("sealed.der").count(count), 1)
    write("slow.der", read("sealed.der").replace(count, most))
    result = sigmill("pubkey", "--passin", "pass:x", "slow.der", code=2, timeout=2)
    contains(result.errors, "slow.der", "iterations")


def test_encrypted_keys():
    point = new_point()
    openssl(
        "pkcs8",
        "-topk8",
        "-in",
        "key.pem",
        "-v2",
        "aes-256-cbc",
        "-passout",
        "pass:horse",
        "-out",
        "sealed.pem",
    )
    openssl(
        "pkcs8",
        "-topk8",
        "-in",
        "key.pem",
        "-v2",
        "aes-128-cbc",
        "-outform",
        "DER",
        "-passout",
        "pass:horse",
        "-out",
        "sealed.der",
    )
    openssl(
        "ec", "-in", "key.pem", "-aes256", "-passout", "pass:horse", "-out", "old.pem"
    )
    contains(read("old.pem").decode(), "Proc-Type: 4,ENCRYPTED")
    write(
        "with_parameters.pem", openssl("ecparam", "-name", "prime256v1") + read("old.pem")
    )
    write("pass.txt", "horse\nsecond line\n")
    for name in ("sealed.pem", "sealed.der", "old.pem", "with_parameters.pem"):
        for source in ("pass:horse", "env:SECRET", "file:pass.txt"):
            equal(
                (
                    public_point(name, "--passin=" + source)
                    if source != "env:SECRET"
                    else sigmill(
                        "pubkey",
                        "--format",
                        "uncompressed",
                        "--passin",
                        source,
                        name,
                        env={"SECRET": "horse"},
                    ).out
                ),
                point,
                name + source,
            )
        got = sigmill(
            "pubkey",
            "--format",
            "uncompressed",
            "--passin",
            "stdin",
            name,
            data="horse\n",
        )
        equal(got.out, point)
        sigmill(
            "sign", "--key", name, "--passin", "pass:horse", "--out", "sig.der", data="m"
        )
        sigmill(
            "verify",
            "--key",
            name,
            "--passin",
            "pass:horse",
            "--sig",
            "sig.der",
            data="m",
        )
        result = sigmill("pubkey", "--passin", "pass:wrong", name, code=2)
        contains(result.errors, name, "passphrase")
        contains(sigmill("pubkey", name, code=2).errors, name, "--passin")
    end, begin = os.pipe()
    os.write(begin, b"horse\n")
    os.close(begin)
    got = sigmill(
        "pubkey",
        "--format",
        "uncompressed",
        "--passin",
        "fd:%d" % end,
        "sealed.pem",
        pass_fds=(end,),
    )
    equal(got.out, point)
    os.close(end)
    for source in ("env:NOT_THERE", "file:not_there", "fd:99", "fd:x", "horse", ""):
        sigmill("pubkey", "--passin", source, "sealed.pem", code=2)


def test_broken_encrypted_keys():
    make_openssl_key()
    openssl(
        "pkcs8", "-topk8", "-in", "key.pem", "-passout", "pass:h", "-out", "sealed.pem"
    )
    openssl(
        "pkcs8",
        "-topk8",
        "-in",
        "key.pem",
        "-outform",
        "DER",
        "-passout",
        "pass:h",
        "-out",
        "sealed.der",
    )
    good = read("sealed.pem")
    sigmill("pubkey", "--passin", "pass:h", "sealed.pem")
    write("twice.pem", good + good)
    contains(
        sigmill("pubkey", "--passin", "pass:h", "twice.pem", code=2).errors, "twice.pem"
    )
    write("plain_too.pem", good + read("key.pem"))
    sigmill("pubkey", "--passin", "pass:h", "plain_too.pem", code=2)
    sigmill("sign", "--key", "plain_too.pem", "--passin", "pass:h", code=2, data="m")
    der = read("sealed.der")
    for bad in (der + b"\0", der[:-1], der[:60]):
        write("bad.der", bad)
        sigmill("pubkey", "--passin", "pass:h", "bad.der", code=2)
    openssl(
        "genpkey",
        "-algorithm",
        "EC",
        "-pkeyopt",
        "ec_paramgen_curve:P-384",
        "-out",
        "p384.pem",
    )
    openssl(
        "pkcs8", "-topk8", "-in", "p384.pem", "-passout", "pass:h", "-out", "sealed.pem"
    )
    contains(
        sigmill("pubkey", "--passin", "pass:h", "sealed.pem", code=2).errors, "encrypted"
    )
    # The older framing's ciphertext has 128 bytes: its last character has loose bits.
    openssl("ec", "-in", "key.pem", "-aes256", "-passout", "pass:h", "-out", "sealed.pem")
    text = read("sealed.pem").decode()
    at = text.index("=\n-----END") - 1
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    loose = text[:at] + alphabet[alphabet.index(text[at]) ^ 1] + text[at + 1 :]
    sigmill("pubkey", "--passin", "pass:h", "sealed.pem")
    write("loose.pem", loose)
    openssl("pkey", "-in", "loose.pem", "-passin", "pass:h", "-noout")
    contains(
        sigmill("pubkey", "--passin", "pass:h", "loose.pem", code=2).errors, "loose.pem"
    )


def test_every_public_format_goes_round():
    key = Key(1)
    write("key.pem", key.pem())
    for form, want in (
        ("pem", key.pem().encode()),
        ("der", key.spki()),
        ("spki", key.spki()),
        ("cose", key.cose()),
        ("compressed", key.compressed),
        ("uncompressed", key.uncompressed),
        ("hex", key.compressed.hex().encode() + b"\n"),
        ("hex-uncompressed", key.uncompressed.hex().encode() + b"\n"),
    ):
        equal(sigmill("pubkey", "--format", form, "key.pem").out, want, form)
        sigmill("pubkey", "--format", form, "--out", "out", "key.pem")
        equal(read("out"), want, form)
        equal(public_point("out"), key.uncompressed, form)
    equal(
        json.loads(sigmill("pubkey", "--format", "jwk", "key.pem").out),
        {**key.jwk()},
        "jwk",
    )
    sigmill("pubkey", "--format", "jwk", "--out", "out", "key.pem")
    equal(public_point("out"), key.uncompressed)
    shown = sigmill("pubkey", "--json", "out").json()
    equal(shown["compressed"], key.compressed.hex())
    equal(shown["uncompressed"], key.uncompressed.hex())
    equal(shown["pem"], key.pem())
    equal(shown["read_as"], "jwk")
    for form in ("pkcs8", "ec", "ec-pem", "raw", "nonsense"):
        sigmill("pubkey", "--format", form, "key.pem", code=2)


def test_keygen():
    for form in ("pem", "der", "pkcs8", "ec", "ec-pem", "jwk", "hex", "raw"):
        pub = form + ".pub"
        sigmill("keygen", "--format", form, "--out", "k." + form, "--public-out", pub)
        equal(stat.S_IMODE(os.stat("k." + form).st_mode), 0o600, form)
        told = ["--key-format", "raw"] if form in ("hex", "raw") else []
        point = public_point("k." + form, *told)
        equal(public_point(pub), point, form)
        if form not in ("jwk", "hex", "raw"):
            equal(openssl_point("k." + form), point, form)
        before = read("k." + form)
        result = sigmill("keygen", "--format", form, "--out", "k." + form, code=2)
        contains(result.errors, "k." + form, "--force")
        equal(read("k." + form), before, "left alone")
        os.chmod("k." + form, 0o644)
        sigmill("keygen", "--format", form, "--force", "--out", "k." + form)
        assert read("k." + form) != before
        equal(stat.S_IMODE(os.stat("k." + form).st_mode), 0o600, form)
    result = sigmill("keygen", "--json", "--out", "j.pem").json()
    equal(
        result["public_key"], sigmill("pubkey", "--format", "hex", "j.pem").text.strip()
    )
    contains(sigmill("keygen", "--json", code=2).errors, "--out")
    assert sigmill("keygen").text.startswith("-----BEGIN PRIVATE KEY-----\n")
    for form in ("spki", "cose", "compressed", "nonsense"):
        sigmill("keygen", "--format", form, code=2)


def test_keygen_from_a_secret():
    key = Key(2)
    write("d.bin", key.secret)
    write("d.hex", key.secret.hex() + "\n")
    for name in ("d.bin", "d.hex"):
        sigmill("keygen", "--secret-file", name, "--force", "--out", "key.pem")
        equal(openssl_point("key.pem"), key.uncompressed)
    got = sigmill("keygen", "--secret-file", "d.bin", "--format", "jwk").json()
    equal(got, key.jwk(private=True))
    order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    for bad in ("00" * 32, order, "ff" * 32):
        write("bad", bytes.fromhex(bad))
        contains(sigmill("keygen", "--secret-file", "bad", code=2).errors, "bad")
    for bad in (
        b"",
        key.secret[:31],
        key.secret + b"\0",
        key.secret.hex()[:63].encode() + b"g",
    ):
        write("bad", bad)
        sigmill("keygen", "--secret-file", "bad", code=2)


def test_convert_keys():
    key = Key(3)
    write("d.bin", key.secret)
    sigmill("keygen", "--secret-file", "d.bin", "--out", "key.pem")
    names = {"pem": "key.pem"}
    for form in ("der", "ec", "ec-pem", "jwk", "hex", "raw"):
        names[form] = "key." + form
        sigmill("convert", "key", "--to", form, "--out", names[form], "key.pem")
        equal(stat.S_IMODE(os.stat(names[form]).st_mode), 0o600, form)
    for form, name in names.items():
        told = ["--key-format", "raw"] if form in ("hex", "raw") else []
        for to in names:
            got = sigmill("convert", "key", *told, "--to", to, name).out
            equal(got, read(names[to]), form + " to " + to)
        equal(
            sigmill("convert", "key", *told, "--to", "pem", "--public", name).text,
            key.pem(),
        )
        for to, want in (("cose", key.cose()), ("spki", key.spki())):
            words = ["convert", "key", *told, "--to", to]
            equal(sigmill(*words, "--public", name).out, want)
            refused = sigmill(*words, name, code=2)
            contains(refused.errors, "--public")
            equal(refused.out, b"")
        sigmill("sign", "--key", name, "--out", "sig.der", data="m")
        sigmill("verify", "--key", name, *told, "--sig", "sig.der", data="m")
        if told:
            sigmill("pubkey", name, code=2)
    write("pub.jwk", json.dumps(key.jwk()))
    equal(sigmill("convert", "key", "--to", "der", "pub.jwk").out, key.spki())
    sigmill("convert", "key", "--to", "raw", "pub.jwk", code=2)
    sigmill("convert", "key", "--to", "key.pem", "pub.jwk", code=2)
    wrong = {**key.jwk(private=True), "d": Key(4).jwk(private=True)["d"]}
    write("wrong.jwk", json.dumps(wrong))
    sigmill("convert", "key", "--to", "pem", "wrong.jwk", code=2)
    equal(public_point("wrong.jwk"), key.uncompressed, "d ignored for a public key")


def test_pem_rules():
    key, other = Key(5), Key(6)
    make_openssl_key()
    private = read("key.pem").decode()
    good = key.pem()
    body = base64.b64encode(key.spki()).decode()
    begin, end = "-----BEGIN PUBLIC KEY-----\n", "-----END PUBLIC KEY-----\n"
    loads = {
        "crlf": key.pem("\r\n"),
        "text before": "subject: me\n" + good,
        "text after": good + "that was it\n",
        "one line": begin + body + "\n" + end,
        "short lines": begin
        + "\n".join(body[i : i + 10] for i in range(0, len(body), 10))
        + "\n"
        + end,
        "no final newline": good.rstrip("\n"),
        "begin inside a line": "see -----BEGIN PUBLIC KEY----- below\n" + good,
        "byte order mark": "\ufeff" + good,
    }
    for name, text in loads.items():
        write("k", text)
        equal(public_point("k"), key.uncompressed, name)
    fails = {
        "two keys": good + other.pem(),
        "public and private": good + private,
        "private and public": private + good,
        "two private keys": private + private,
        "certificate": pem("CERTIFICATE", key.spki()),
        "private label": pem("PRIVATE KEY", key.spki()),
        "ec private label": pem("EC PRIVATE KEY", key.spki()),
        "headers": good.replace(begin, begin + "Comment: x\n\n"),
        "no end": good.replace(end, ""),
        "cut": good[:100],
        "junk": good.replace(body[20], "*", 1),
        "empty body": begin + end,
        "trailing byte": pem("PUBLIC KEY", key.spki() + b"\0"),
        "point off the curve": pem(
            "PUBLIC KEY", key.spki()[:-1] + bytes([key.spki()[-1] ^ 1])
        ),
        "explicit curve": openssl(
            "ecparam",
            "-name",
            "prime256v1",
            "-genkey",
            "-param_enc",
            "explicit",
            "-noout",
        ).decode(),
        "another curve": openssl(
            "ecparam", "-name", "secp256k1", "-genkey", "-noout"
        ).decode(),
        "no block": body,
    }
    for name, text in fails.items():
        write("k", text)
        result = sigmill("pubkey", "k", code=2)
        contains(result.errors, "k: ")
        equal(result.out, b"", name)
        sigmill(
            "verify",
            "--key",
            "k",
            "--format",
            "raw",
            "--sig-hex",
            "00" * 64,
            data="",
            code=2,
        )
    for name in (
        "two private keys",
        "private and public",
        "private label",
        "explicit curve",
    ):
        write("k", fails[name])
        sigmill("sign", "--key", "k", data="m", code=2)
    write("k", good)
    contains(sigmill("sign", "--key", "k", data="m", code=2).errors, "k: ")


def test_hybrid_points():
    key = Key(7)
    right = bytes([6 + (key.point[1] & 1)]) + key.uncompressed[1:]
    wrong = bytes([right[0] ^ 1]) + right[1:]
    for point, code in ((right, 0), (wrong, 2)):
        spki = key.spki().replace(key.uncompressed, point)
        for text in (
            point,
            point.hex(),
            spki,
            pem("PUBLIC KEY", spki),
            "note\n" + pem("PUBLIC KEY", spki),
        ):
            write("k", text)
            sigmill("pubkey", "k", code=2)
            got = sigmill(
                "pubkey", "--hybrid", "--format", "uncompressed", "k", code=code
            )
            if code == 0:
                equal(got.out, key.uncompressed)
    double = pem("PUBLIC KEY", key.spki().replace(key.uncompressed, right))
    write("k", double + double)
    sigmill("pubkey", "--hybrid", "k", code=2)
    write("k", double.replace("PUBLIC KEY-----\n", "PUBLIC KEY-----\nComment: x\n\n", 1))
    sigmill("pubkey", "--hybrid", "k", code=2)


def test_cose_framing():
    key = Key(8)
    write("k", key.cose() + b"tail")
    sigmill("pubkey", "k", code=2)
    got = sigmill("pubkey", "--cose-prefix", "--format", "uncompressed", "k")
    equal(got.out, key.uncompressed)
    contains(got.errors, "77")
    equal(sigmill("pubkey", "--cose-prefix", "--json", "k").json()["cose_length"], 77)


def test_formats_by_name():
    key = Key(9)
    write("k", key.compressed)
    equal(public_point("k", "--key-format", "sec1"), key.uncompressed)
    for form in ("pem", "der", "hex", "jwk", "cose", "raw", "nonsense"):
        sigmill("pubkey", "--key-format", form, "k", code=2)
    # The marks of two formats: the user must say.
    write("k", "{\n" + key.pem())
    contains(sigmill("pubkey", "k", code=2).errors, "--key-format", "pem", "jwk")
    equal(public_point("k", "--key-format", "pem"), key.uncompressed)
    for text in ("", "hello", b"\0", b"\x08" + key.uncompressed[1:]):
        write("k", text)
        contains(sigmill("pubkey", "k", code=2).errors, "k: ")
    # A bare secret stands for its public key only when the user says so.
    for text in (key.secret, key.secret.hex(), key.secret.hex() + "\n"):
        write("k", text)
        sigmill("pubkey", "k", code=2)
        equal(public_point("k", "--key-format", "raw"), key.uncompressed)


def test_long_key_files_are_refused():
    write("k", b"\n" * (70 * 1024) + Key(1).pem().encode())
    contains(sigmill("pubkey", "k", code=2).errors, "k: ", "65536")
    with open("huge", "wb") as file:
        file.truncate(1 << 40)
    sigmill("pubkey", "huge", code=2, timeout=10)
    sigmill("sign", "--key", "huge", data="m", code=2, timeout=10)
    write("k", Key(1).pem())
    sigmill(
        "verify",
        "--key",
        "k",
        "--sig",
        "huge",
        "--format",
        "der",
        data="m",
        code=2,
        timeout=10,
    )
    sigmill("verify", "--key", "k", "--format", "jws", "huge", code=2, timeout=20)


def test_unreadable_and_full_files():
    contains(sigmill("pubkey", "not_there", code=2).errors, "not_there", "No such file")
    contains(sigmill("pubkey", ".", code=2).errors, "directory")
    write("k", Key(1).pem())
    contains(
        sigmill("pubkey", "--out", "/dev/full", "k", code=2).errors, "/dev/full", "space"
    )
    contains(sigmill("keygen", "--out", "/dev/full", code=2).errors, "/dev/full", "space")
    contains(
        sigmill("keygen", "--out", "no/such/folder", code=2).errors, "no/such/folder"
    )
    with open("/dev/full", "wb") as full:
        for words in (
            ["pubkey", "k"],
            ["keygen"],
            ["cpu"],
            ["--help"],
            ["--version"],
            ["help", "sign"],
        ):
            contains(sigmill(*words, stdout=full, code=2).errors, "stdout")


if __name__ == "__main__":
    main(globals())
