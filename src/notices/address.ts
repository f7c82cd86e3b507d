import { BlockList, isIP } from "node:net";

/**
 * Everything that is not the public internet: our own machine and network, cloud metadata, shared, reserved, multicast
 * and translated addresses (RFC 6890). A webhook that could reach them would read for its owner what only we can.
 */
const RANGES = {
  ipv4: [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
  // Of IPv6 only what is given out (2000::/3) is public; these are the exceptions in it.
  ipv6: ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
} as const;

const closed = new BlockList();
for (const [family, ranges] of Object.entries(RANGES)) {
  for (const range of ranges) {
    const [net = "", bits = ""] = range.split("/");
    closed.addSubnet(net, Number(bits), family as "ipv4" | "ipv6");
  }
}
const givenOut = new BlockList();
givenOut.addSubnet("2000::", 3, "ipv6");

/** Whether a request may go to this IP address. An IPv4 address in the clothes of IPv6 is refused whatever it is. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, "ipv4");
  return family === 6 && givenOut.check(address, "ipv6") && !closed.check(address, "ipv6");
}
