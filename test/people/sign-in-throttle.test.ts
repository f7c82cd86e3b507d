import { expect, test } from "vitest";
import { networksOf, TRY_LIMITS, signInWaitMs } from "#people/sign-in-throttle.ts";

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.*/24", "203.0.*/16"],
  ["::ffff:203.0.113.7", "203.0.113.7", "203.0.113.*/24", "203.0.*/16"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32"],
  ["2001:db8::9", "2001:db8:0:0::/64", "2001:db8:0::/48", "2001:db8::/32"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48", "0:0::/32"],
  ["1::", "1:0:0:0::/64", "1:0:0::/48", "1:0::/32"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48", "fe80:0::/32"],
  ["no address", "no address", "no address", "no address"],
])("counts attempts from %s for %s, %s and %s", (given, address, site, provider) => {
  expect(networksOf(given)).toEqual({ address, site, provider });
});

test("doubles the wait after the free attempts, up to the maximum of its kind", () => {
  const waits = [4, 5, 6, 7, 12, 1_000].map((tries) => signInWaitMs(tries, TRY_LIMITS.account));
  expect(waits).toEqual([0, 1_000, 2_000, 4_000, 60_000, 60_000]);
  expect(signInWaitMs(1_000, TRY_LIMITS.provider)).toBe(2_000);
});
