/**
 * A certificate for localhost that nobody vouches for, and its key, which opens nothing: for tests of
 * what must not be trusted. Made with `openssl req -x509 -newkey ec -days 36500`.
 */
export const SELF_SIGNED = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUU9H2SADn6FOEiZEykfUMthnBtpAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE3NTY0NloYDzIxMjYxMDI4
MTc1NjQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAThMLxcSkN+k7XFNBAh0wooAe/VQ0xLs2yqiVOGMqx2h7yrHplv9yU1
0pKWgGhucDWpa7GvhoEwEpa6Y9i8bddYo28wbTAdBgNVHQ4EFgQU1Z1CL4yCwSmH
ZYJmhGNz4qm2xywwHwYDVR0jBBgwFoAU1Z1CL4yCwSmHZYJmhGNz4qm2xywwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAOHQSVPtOQm6dYRBcOXEwNFa0eHsVbL8VZ0uEnWW3f+VAiEA
ic3/EgUTMd85s0JdUvds0H1dth+d2E3eJz/mbpXKRPU=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkhPHeQvRAoavtV8e
BlI6ecwPk7jmmzz/QZq3ORPcUWWhRANCAAThMLxcSkN+k7XFNBAh0wooAe/VQ0xL
s2yqiVOGMqx2h7yrHplv9yU10pKWgGhucDWpa7GvhoEwEpa6Y9i8bddY
-----END PRIVATE KEY-----
`,
} as const
