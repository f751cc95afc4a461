/** The address that a client on this machine can use when the service listens on all of them. */
export const reachable = (address: string): string =>
  address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
