// Stands in for a program that a test cannot run. It checks the arguments, and the files that they name, against rules below. Node
// and npm run for real where that ends in seconds. A server starts in the background; the command ends when the server is ready.

import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [program, ...args] = process.argv.slice(2).filter((one, index) => index > 0 || one !== '--');
const { SCRATCH: scratch, REPOSITORY: repository } = process.env;

/** Subcommands, with their options. `*` is for programs without subcommands. */
const rules = {
  podman: {
    build: ['--format', '--file', '--tag', '--build-arg', '--isolation'],
    run: '--rm --detach --name --publish --restart --env-file --volume --env --read-only --tmpfs --cap-drop --security-opt --memory --stop-timeout --new-store'.split(
      ' ',
    ),
    healthcheck: [],
    logs: ['--tail'],
    exec: [],
    stop: [],
    wait: [],
    inspect: [],
    compose: ['--file', '--env-file', '--detach', '--no-deps', '--wait'],
    rm: [],
  },
  docker: {
    compose: '--file --env-file --detach --wait --build --rm --no-deps --new-store'.split(' '),
    build: ['--file', '--tag'],
  },
  systemctl: {
    'daemon-reload': [],
    'reset-failed': [],
    enable: ['--now'],
    disable: ['--now'],
    start: [],
    stop: [],
    restart: [],
    reload: [],
    status: [],
  },
  journalctl: { '*': ['--unit', '--since', '--output', '--follow', '--no-pager', '-u', '-o'] },
  useradd: { '*': ['--system', '--home-dir', '--shell', '--user-group', '--no-create-home'] },
  chown: { '*': ['-R', '--recursive'] },
  mail: { '*': ['-s'] },
  findmnt: { '*': ['--target'] },
  strace: { '*': ['-f', '-y', '-s', '-e', '-o'] },
  psql: { '*': ['--file', '--command', '--dbname', '-c', '-f'] },
  pg_dump: { '*': ['--format', '--file', '--dbname', '-Fc', '-f'] },
  pg_restore: { '*': ['--dbname', '--clean', '--if-exists', '--no-owner', '-d'] },
  npx: { '*': [] },
  git: { clone: [], switch: ['--create'] },
  caddy: { validate: ['--config', '--adapter'] },
  nginx: { '*': ['-t', '-s', '-c', '-p'] },
  promtool: { check: [], test: [] },
};
/** The arguments that these pass on to a program are not theirs. */
const passesOn = { podman: ['exec'], npx: ['*'] };
/** npm scripts that do not end by themselves, and what they print when they are ready. */
const servers = {
  start: /Everything runs on this machine/,
  bff: /listens on/,
  sandbox: /http:\/\//,
};

const run =
  {
    npm: runNpm,
    npx: runNpx,
    node: runNode,
    sudo: runSudo,
    install: runInstall,
    scp: runScp,
    systemctl: runSystemctl,
    'funding-bff': runFundingBff,
  }[program] ?? check;
await Promise.resolve(run());

/** The program of the package, if the project has it. */
function runNpx() {
  const program = join('node_modules', args[0] ?? '', 'bff/main.js');
  if (!existsSync(program)) return check();
  const own = args.slice(1);
  // Otherwise it calls the funding service.
  if (own[0] === 'conformance' && !own.includes('--dry-run')) return record();
  // Without a command, the BFF serves.
  if (own.every((one) => one.startsWith('--dotenv=')))
    return startServer('npx', [program, ...own], /listens on/);
  runProgram([program, ...own]);
}

function check() {
  const own = rules[program] ?? stop(`${program} has no rules in ${import.meta.filename}`);
  const command = own['*'] ? '*' : args[0];
  const options = own[command] ?? stop(`${program} has no subcommand ${command}`);
  for (const argument of passesOn[program]?.includes(command) ? [] : args) {
    const [name] = argument.split('=');
    if (/^-\w|^--\w/.test(name) && !options.includes(name))
      stop(`${program} ${command} has no option ${name} in ${import.meta.filename}`);
    // The rest is an output file, or a command with the paths of a container.
    if (name === '-o' || name === 'exec') break;
    checkPath(argument);
  }
  record();
}

/** A path of the scratch folder, or of the clone, must exist. `--volume` and others have a path before a colon. */
function checkPath(argument) {
  const [path] = argument.replace(/^--[\w-]+=/, '').split(':');
  const isOwn = path.startsWith(`${scratch}/`) || /^(?:examples|dist|docs|test|bff)\//.test(path);
  if (isOwn && !/[*$]/.test(path) && !existsSync(resolve(path)) && program !== 'useradd')
    stop(`${program}: ${path} does not exist`);
}

function record() {
  appendFileSync(join(scratch, 'recorded'), `${program} ${args.join(' ')}\n`);
}

/** `sudo -u funding command`: runs the command as this user. */
function runSudo() {
  const command = args[0] === '-u' ? args.slice(2) : args;
  process.exitCode = spawnSync(command[0], command.slice(1), { stdio: 'inherit' }).status ?? 1;
}

/** For real, but this machine has no user `funding`. */
function runInstall() {
  const own = args.filter((one, index) => ![one, args[index - 1]].some((it) => /^-[og]$/.test(it)));
  process.exitCode = spawnSync('/usr/bin/install', own, { stdio: 'inherit' }).status ?? 1;
}

/** The server is this machine. */
function runScp() {
  const [target] = args.splice(-1);
  const folder = target.slice(target.indexOf(':') + 1);
  process.exitCode = spawnSync('cp', [...args, folder], { stdio: 'inherit' }).status ?? 1;
}

/** Like examples/deployment/funding-bff, which test/release/deployment/systemd.test.ts checks. */
function runFundingBff() {
  runProgram([...readInstallation(), ...args]);
}

function runSystemctl() {
  check();
  const [command, ...own] = args.filter((one) => !one.startsWith('--'));
  const isStart = ['enable', 'start', 'restart'].includes(command);
  if (own.includes('funding-bff') && isStart)
    return startServer('unit', readInstallation(), /listens on/);
}

/** The arguments of Node in the unit. Variables of the environment replace those of bff.env. */
function readInstallation() {
  const environment = join(scratch, 'etc/funding/bff.env');
  return [
    ...(existsSync(environment) ? [`--env-file=${environment}`] : []),
    join(scratch, 'opt/funding', process.env['RELEASE'] ?? 'current', 'bff/main.js'),
  ];
}

async function runNpm() {
  const words = args.filter((one) => one !== '--silent');
  const script = words[0] === 'run' ? words[1] : words[0];
  const rest = words[0] === 'run' ? words.slice(2) : words.slice(1);
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  if (script === 'install' && process.cwd() === join(scratch, 'srv/project'))
    checkDependencies(rest);
  if (['install', 'pack', 'publish', 'ci', 'init', 'pkg', 'audit'].includes(script))
    return record();
  if (!scripts[script]) stop(`package.json has no script ${script}`);
  if (rest.length > 0 && rest[0] !== '--') stop(`npm needs -- before ${rest[0]}`);
  const own = rest.slice(1);
  if (script === 'bff' && own.length > 0) return runProgram(['bff/main.ts', ...own]);
  if (servers[script]) {
    const [, file] = /node (\S+)/.exec(scripts[script]);
    return startServer(script, [join(scratch, 'clone', file)], servers[script]);
  }
  for (const path of own) if (/^(?:test|bench)\//.test(path)) checkPath(path);
  record();
}

/** The project has its packages already. Another test installs them from the tarballs. */
function checkDependencies(names) {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = names
    .filter((one) => !one.startsWith('--'))
    .map((one) => one.replace(/^\.\/(.+)\.tgz$/, '$1'));
  if (Object.keys(dependencies).toSorted().join(' ') !== packages.toSorted().join(' '))
    stop(`The example has other packages: ${Object.keys(dependencies).join(' ')}`);
}

async function runNode() {
  const [file = '', ...own] = args.filter((argument) => !argument.startsWith('--env-file='));
  const isServer = file.endsWith('main.js') ? own.length === 0 : /server\.(?:ts|js)$/.test(file);
  if (isServer) return startServer(file, args, /listens on|http:\/\//);
  runProgram(args);
}

function runProgram(words) {
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

async function startServer(name, words, ready) {
  const file = join(scratch, `server-${name.replaceAll(/\W/g, '-')}`);
  // The reader has stopped it.
  if (existsSync(`${file}.pid`)) await end(Number(readFileSync(`${file}.pid`, 'utf8')));
  const output = openSync(`${file}.log`, 'w');
  const server = spawn(process.execPath, words, {
    stdio: ['ignore', output, output],
    detached: true,
  });
  writeFileSync(`${file}.pid`, String(server.pid));
  const read = () => readFileSync(`${file}.log`, 'utf8');
  for (let waited = 0; server.exitCode === null && !ready.test(read()); waited += 50) {
    if (waited > 60_000) stop(`${name} is not ready: ${read()}`);
    await sleep(50);
  }
  server.unref();
  process.exitCode = server.exitCode ?? 0;
  // The lines of the log are JSON.
  const lines = read().split('\n');
  process.stdout.write(lines.filter((line) => !line.startsWith('{')).join('\n'));
}

async function end(pid) {
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  if (!isAlive()) return;
  process.kill(-pid, 'SIGINT');
  while (isAlive()) await sleep(50);
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(99);
}
