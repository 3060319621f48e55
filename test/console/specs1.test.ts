import { useSpecs } from './useSpecs.ts'

useSpecs(0)
