import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Of IPv6 only 2000::/3 is given out; ipaddr.js calls the rest of it unicast, too. */
const GIVEN_OUT = ipaddr.parseCIDR("2000::/3");

/**
 * Whether a webhook may go to this IP address: false for everything that is not the public internet, such as our own
 * machine and network, cloud metadata, shared, reserved, multicast and translated addresses (RFC 6890). A webhook that
 * could reach them would read for its owner what only we can. An IPv4 address written as IPv6 is refused, whatever it is.
 */
export function isPublic(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(GIVEN_OUT);
}

const OWN = new Set(["unspecified", "loopback", "private", "linkLocal", "uniqueLocal"]);

/**
 * Whether a host is on this machine or in a network of one's own: such an address, or a name of one word, which only
 * the own network knows. An IPv4 address written as IPv6 is judged as what it is: `::ffff:8.8.8.8` is on the internet.
 *
 * @param host as in a URL: an IPv6 address may have its brackets.
 */
export function isNearBy(host: string): boolean {
  const bare = host.replaceAll(/[[\]]/g, "");
  return isIP(bare) > 0 ? OWN.has(ipaddr.process(bare).range()) : !bare.includes(".");
}
