import { expect, test } from "vitest";
import { isLocalHost, isPublic } from "#notification/address.ts";
import { postWebhook, whyAddressRefused, signatureOf } from "#notification/webhook.ts";

const OPTIONS = { allowPrivate: false, timeoutMs: 500 };

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.170",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "100::1",
  "4000::1",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "192.88.99.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.175.48.1",
  "2001::1",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "ff02::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "8.8.8",
  "localhost",
  "",
])("sends nothing to %s", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700:4700::1111",
  "2a00:1450::1",
])("accepts the public %s", (address) => {
  expect(isPublic(address)).toBe(true);
});

// Not every address refused for a webhook is local: unusual, shared or translated addresses may
// lead anywhere.
test.each<[host: string, isNear: boolean]>([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["[::1]", true],
  ["10.1.2.3", true],
  ["172.16.0.1", true],
  ["172.31.255.255", true],
  ["192.168.1.1", true],
  ["169.254.1.1", true],
  ["[fd00:ec2::254]", true],
  ["[fe80::1]", true],
  ["[::ffff:10.1.2.3]", true],
  ["[::ffff:127.0.0.1]", true],
  ["localhost", true],
  ["postgres", true],
  ["[::ffff:8.8.8.8]", false],
  ["[::ffff:808:808]", false],
  ["8.8.8.8", false],
  ["172.32.0.1", false],
  ["100.64.0.1", false],
  ["192.0.2.1", false],
  ["0.0.0.0", true],
  ["224.0.0.1", false],
  ["[::]", true],
  ["[64:ff9b::808:808]", false],
  ["[2002:808:808::]", false],
  ["[2606:4700:4700::1111]", false],
  ["db.example.com", false],
  ["db.internal", false],
])("treats %s as local: %s", (host, isNear) => {
  expect(isLocalHost(host)).toBe(isNear);
});

test.each([
  ["http://example.com/hook", "https"],
  ["https://127.0.0.1/hook", "not a public address"],
  ["https://[::1]/hook", "not a public address"],
  ["https://2130706433/hook", "not a public address"],
  ["https://0x7f.1/hook", "not a public address"],
  ["https://user:word@example.com/hook", "must not contain a user name or password"],
  ["ftp://example.com", "https"],
  ["nonsense", "not a URL"],
])("refuses a webhook at %s", (target, why) => {
  expect(whyAddressRefused(target, OPTIONS)).toContain(why);
});

test("does not call a name that resolves to one private address among public ones", async () => {
  const resolve = async () => [
    { address: "8.8.8.8", family: 4 },
    { address: "10.0.0.7", family: 4 },
  ];
  const message = { id: "N1", atSeconds: 1, body: "{}", secret: "whsec_AAAA" };
  const tried = await postWebhook("https://hooks.example/", message, { ...OPTIONS, resolve });
  expect(tried).toEqual({
    ok: false,
    says: "not called: hooks.example does not resolve to a public address",
  });
});

test("resolves a name once per request, and ignores later answers", async () => {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return [{ address: asked === 1 ? "127.0.0.1" : "8.8.8.8", family: 4 }];
  };
  const message = { id: "N1", atSeconds: 1, body: "{}", secret: "whsec_AAAA" };
  const tried = await postWebhook("https://hooks.example/", message, { ...OPTIONS, resolve });
  expect([tried.ok, asked]).toEqual([false, 1]);
});

test("signs as Standard Webhooks specifies", () => {
  // The example of its specification's libraries.
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    atSeconds: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signatureOf(message, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe(
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});
