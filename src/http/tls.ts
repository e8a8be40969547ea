import { buildConnector } from 'undici';

/** The certificate of this client, and its private key, both as PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An address to connect to, whatever the host of a URL is. The certificate of its server is judged elsewhere. */
export interface ConnectTo {
  readonly address: string;
  readonly port: number;
}

/** How to connect, beside the URL. */
export interface ConnectionOptions {
  /** Null or absent: none. */
  readonly certificate?: ClientCertificate | null | undefined;
  /** Absent: the host of the URL. */
  readonly connectTo?: ConnectTo | undefined;
}

/** Codes of the alerts with which a server refuses a client certificate, or that there is none (RFC 8446 6.2). */
const refusesClient = /_ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/;

/**
 * Returns undici's own connector. It reports an alert that refuses this client: with TLS 1.3, such an alert comes after the handshake, and
 * undici only reports the close of the connection.
 */
export const tlsConnector = (
  timeout: number,
  { certificate, connectTo }: ConnectionOptions,
  onRefusal: (error: Error) => void,
): buildConnector.connector => {
  const trust = connectTo === undefined ? {} : { rejectUnauthorized: false };
  const connect = buildConnector({ timeout, allowH2: false, ...trust, ...certificate });
  const placed = (options: buildConnector.Options): buildConnector.Options =>
    connectTo === undefined
      ? options
      : {
          ...options,
          servername: options.hostname,
          hostname: connectTo.address,
          port: String(connectTo.port),
        };
  return (options, callback) =>
    connect(placed(options), (...result) => {
      const [failure, socket] = result;
      if (failure === null)
        socket.prependListener('error', (error: NodeJS.ErrnoException) => {
          if (refusesClient.test(error.code ?? '')) onRefusal(error);
        });
      callback(...result);
    });
};
