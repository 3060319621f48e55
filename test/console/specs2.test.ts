import { useSpecs } from './useSpecs.ts'

useSpecs(1)
