/** The port of a gateway, the port that it forwards to, and a folder for its files. */
export interface Place {
  readonly port: number;
  readonly upstreamPort: number;
  readonly folder: string;
}

export interface Gateway {
  readonly name: string;
  /** The Debian package that installs it. */
  readonly package: string;
  /** Its program, looked up in PATH and in the folders of system programs. */
  readonly program: string;
  /** The name of its configuration file. */
  readonly file: string;
  readonly configuration: (place: Place) => string;
  /** Arguments that keep the program in the foreground, so that it ends with its process. */
  readonly args: (file: string, place: Place) => readonly string[];
}

/** An operator only writes `location`. The rest keeps files and processes out of the folders of the system. */
const nginx = (name: string, location: (upstream: string) => readonly string[]): Gateway => ({
  name,
  package: 'nginx',
  program: 'nginx',
  file: 'nginx.conf',
  // Workers run as another user than root otherwise, and cannot enter the folder.
  configuration: ({ port, upstreamPort, folder }) => `
user root;
worker_processes 2;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
${location(`http://127.0.0.1:${upstreamPort}`)
  .map((line) => `    ${line}`)
  .join('\n')}
  }
}
`,
  args: (file, { folder }) => ['-c', file, '-p', folder, '-e', `${folder}/error.log`],
});

/** The modules that a plain reverse proxy needs on Debian. */
const apacheModules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http'];

/** Gateways with the first configuration in their documentation. */
export const gateways: readonly Gateway[] = [
  nginx('nginx', (upstream) => [`location / { proxy_pass ${upstream}; }`]),
  nginx('nginx, HTTP/1.1 upstream with gzip', (upstream) => [
    'gzip on;',
    'gzip_proxied any;',
    'gzip_types application/json;',
    'location / {',
    `  proxy_pass ${upstream};`,
    '  proxy_http_version 1.1;',
    '  proxy_set_header Connection "";',
    '  proxy_set_header Host $host;',
    '}',
  ]),
  nginx('nginx, without buffering', (upstream) => [
    'location / {',
    `  proxy_pass ${upstream};`,
    '  proxy_http_version 1.1;',
    '  proxy_buffering off;',
    '  proxy_request_buffering off;',
    '}',
  ]),
  nginx('nginx, with a path of the upstream', (upstream) => [
    `location /v1/ { proxy_pass ${upstream}/v1/; }`,
  ]),
  {
    name: 'Apache',
    package: 'apache2',
    program: 'apache2',
    file: 'apache2.conf',
    configuration: ({ port, upstreamPort, folder }) => `
${apacheModules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
User www-data
Group www-data
ServerName localhost
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache2.pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
ProxyPass / http://127.0.0.1:${upstreamPort}/
ProxyPassReverse / http://127.0.0.1:${upstreamPort}/
`,
    args: (file) => ['-f', file, '-D', 'FOREGROUND'],
  },
  {
    name: 'HAProxy',
    package: 'haproxy',
    program: 'haproxy',
    file: 'haproxy.cfg',
    configuration: ({ port, upstreamPort }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
frontend api
  bind 127.0.0.1:${port}
  default_backend store
backend store
  server store 127.0.0.1:${upstreamPort}
`,
    args: (file) => ['-db', '-f', file],
  },
  {
    name: 'Caddy',
    package: 'caddy',
    program: 'caddy',
    file: 'Caddyfile',
    configuration: ({ port, upstreamPort }) => `
{
  admin off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${upstreamPort}
}
`,
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    name: 'Varnish',
    package: 'varnish',
    program: 'varnishd',
    file: 'default.vcl',
    configuration: ({ upstreamPort }) => `
vcl 4.1;
backend default {
  .host = "127.0.0.1";
  .port = "${upstreamPort}";
}
`,
    // Without -j none it changes to a user who cannot enter the folder.
    args: (file, { port, folder }) => [
      '-F',
      ...['-j', 'none'],
      ...['-a', `127.0.0.1:${port}`],
      ...['-f', file],
      ...['-n', `${folder}/work`],
    ],
  },
];
