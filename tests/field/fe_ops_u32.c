/* The field body of 29-bit limbs. */
#define FE_P256_BODY_U32
#define FE_OPS       fe_ops_u32
#define FE_OPS_LABEL "u32"
#include "fe_ops.inc"
