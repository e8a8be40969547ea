import { buildConnector } from 'undici';

/** The certificate of this client, and its private key, both as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Codes of the alerts with which a server refuses a client certificate, or that there is none (RFC 8446 6.2). */
const refusesClient = /_ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/;

/**
 * Returns undici's own connector. It reports an alert that refuses this client: with TLS 1.3, such an alert comes after the handshake, and
 * undici only reports the close of the connection.
 */
export const tlsConnector = (
  timeout: number,
  certificate: ClientCertificate | null,
  onRefusal: (error: Error) => void,
): buildConnector.connector => {
  const connect = buildConnector({ timeout, allowH2: false, ...certificate });
  return (options, callback) =>
    connect(options, (...result) => {
      const [failure, socket] = result;
      if (failure === null)
        socket.prependListener('error', (error: NodeJS.ErrnoException) => {
          if (refusesClient.test(error.code ?? '')) onRefusal(error);
        });
      callback(...result);
    });
};
