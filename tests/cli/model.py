"""P-256 ECDSA over Python's integers: the independent side of the program's tests.

Curve and scheme from SEC 1 and FIPS 186-5; DER from X.690.  Slow and plain on purpose."""

import base64
import hashlib

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0]:
        if (p[1] + q[1]) % P == 0:
            return None
        slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], -1, P) % P
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P) % P
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def multiply(k, p):
    total = None
    while k:
        if k & 1:
            total = add(total, p)
        p = add(p, p)
        k >>= 1
    return total


def be(x, size=32):
    return x.to_bytes(size, "big")


class Key:
    """A key pair from a seed, with its signatures in every format."""

    def __init__(self, seed):
        self.d = (
            int.from_bytes(hashlib.sha256(b"key %d" % seed).digest(), "big") % (N - 1) + 1
        )
        self.point = multiply(self.d, G)
        x, y = self.point
        self.compressed = bytes([2 + (y & 1)]) + be(x)
        self.uncompressed = b"\x04" + be(x) + be(y)
        self.secret = be(self.d)

    def sign(self, digest, high=None):
        """(r, s, R); high True or False forces the half of s."""
        z = int.from_bytes(digest[:32], "big")
        seed = b"nonce" + self.secret + digest
        k = int.from_bytes(hashlib.sha256(seed).digest(), "big") % (N - 1) + 1
        R = multiply(k, G)
        r = R[0] % N
        s = pow(k, -1, N) * (z + r * self.d) % N
        if high is not None and high != (s > N // 2):
            s, R = N - s, (R[0], P - R[1])
        return r, s, R

    def signature(self, digest, form, high=None):
        hinted = form in ("recoverable", "compressed-r", "full-r")
        low = hinted or form == "low-s"
        r, s, R = self.sign(digest, False if low and high is None else high)
        if form == "der":
            return der_signature(r, s)
        tail = be(s)
        if form == "recoverable":
            return bytes([(R[1] & 1) + 2 * (R[0] >= N)]) + be(r) + tail
        if form == "compressed-r":
            return bytes([2 + (R[1] & 1)]) + be(R[0]) + tail
        if form == "full-r":
            return be(R[0]) + be(R[1]) + tail
        return be(r) + tail

    def jwk(self, private=False):
        members = {
            "kty": "EC",
            "crv": "P-256",
            "x": b64url(be(self.point[0])),
            "y": b64url(be(self.point[1])),
        }
        if private:
            members["d"] = b64url(self.secret)
        return members

    def spki(self, compressed=False):
        point = self.compressed if compressed else self.uncompressed
        algorithm = bytes.fromhex("301306072a8648ce3d020106082a8648ce3d030107")
        bits = bytes([3, len(point) + 1, 0]) + point
        body = algorithm + bits
        return bytes([0x30, len(body)]) + body

    def cose(self):
        head = bytes.fromhex("a5010203262001215820")
        return head + be(self.point[0]) + bytes.fromhex("225820") + be(self.point[1])

    def pem(self, newline="\n"):
        return pem("PUBLIC KEY", self.spki(), newline)


def pem(label, der, newline="\n"):
    text = base64.b64encode(der).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    edges = "-----BEGIN %s-----" % label, "-----END %s-----" % label
    return newline.join([edges[0], *lines, edges[1], ""])


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def b64url_decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def der_integer(x):
    body = x.to_bytes(x.bit_length() // 8 + 1, "big")
    return bytes([2, len(body)]) + body


def der_signature(r, s):
    body = der_integer(r) + der_integer(s)
    return bytes([0x30, len(body)]) + body


def raw_from_der(der):
    """r || s of a DER signature that libcrypto wrote."""
    assert der[0] == 0x30 and der[1] == len(der) - 2 and der[2] == 2
    r_end = 4 + der[3]
    assert der[r_end] == 2
    r, s = der[4:r_end], der[r_end + 2 :]
    return be(int.from_bytes(r, "big")) + be(int.from_bytes(s, "big"))


# The binary rows of docs/formats.md.
BINARY_FORMATS = {
    "raw": 1,
    "recoverable": 2,
    "compressed-r": 3,
    "full-r": 4,
    "low-s": 5,
    "der": 6,
}


def binary_header(form, key_size, digest_size, id_size, row_size, rows=0):
    fields = [BINARY_FORMATS[form], key_size, digest_size, id_size]
    head = (
        b"SGMLROWS"
        + (1).to_bytes(2, "little")
        + (64).to_bytes(2, "little")
        + bytes(fields)
    )
    head += row_size.to_bytes(4, "little") + bytes(4) + rows.to_bytes(8, "little")
    return head + bytes(32)


def binary_file(form, rows, count=0):
    """rows: (id, key, digest, sig) with sizes that do not change."""
    packed = []
    for id_bytes, key, digest, sig in rows:
        if form == "der":
            sig = bytes([len(sig)]) + sig + bytes(72 - len(sig))
        packed.append(id_bytes + key + digest + sig)
    id_bytes, key, digest, _ = rows[0]
    head = binary_header(
        form, len(key), len(digest), len(id_bytes), len(packed[0]), count
    )
    return head + b"".join(packed)
