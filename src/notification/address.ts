import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Only 2000::/3 of IPv6 is allocated; ipaddr.js also calls the rest unicast. */
const ALLOCATED_IPV6 = ipaddr.parseCIDR("2000::/3");

/**
 * Whether a webhook may be sent to this IP address. False for every address that is not on the
 * public internet: our own machine and network, cloud metadata, shared, reserved, multicast and
 * translated addresses (RFC 6890). A webhook that could reach them would give its owner access to
 * data that only we can read. An IPv4 address written as IPv6 is always refused.
 */
export function isPublic(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(ALLOCATED_IPV6);
}

const PRIVATE_RANGES = new Set(["unspecified", "loopback", "private", "linkLocal", "uniqueLocal"]);

/**
 * Whether a host is on this machine or in a private network: by its address, or by a name of one
 * word, which only the own network resolves. An IPv4 address written as IPv6 is treated as IPv4:
 * `::ffff:8.8.8.8` is on the internet.
 *
 * @param host as in a URL: an IPv6 address may have brackets.
 */
export function isLocalHost(host: string): boolean {
  const bare = host.replaceAll(/[[\]]/g, "");
  return isIP(bare) > 0 ? PRIVATE_RANGES.has(ipaddr.process(bare).range()) : !bare.includes(".");
}
