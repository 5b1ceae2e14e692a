use super::*;

#[test]
fn a_wrong_count_names_the_flag_the_form_and_the_value() {
    let error = refusal(&[&["overlap", "--capsule", "0,0,2.4,0,0,3.4"], &FLOOR]);
    assert_eq!(
        error,
        "error: --capsule needs 7 numbers x,y,z,x,y,z,radius; got 6 in '0,0,2.4,0,0,3.4'\n"
    );
    for (flag, value, counts) in [
        ("--triangle", "0,0,0,1,0,0,0,1", "needs 9 numbers x,y,z,x,y,z,x,y,z; got 8"),
        ("--box", "0,0,0,1,1,1,0", "needs 6 or 10 numbers x,y,z,hx,hy,hz[,qx,qy,qz,qw]; got 7"),
        ("--sphere", "1", "needs 4 numbers x,y,z,radius; got 1"),
        ("--other-capsule", "0,0,0,0,0,1", "needs 7 numbers x,y,z,x,y,z,radius; got 6"),
        ("--half-space", "0,0,0,0,0,1,2", "needs 6 numbers x,y,z,nx,ny,nz; got 7"),
    ] {
        let error = refused_target(flag, value);
        assert_eq!(error, format!("error: {flag} {counts} in '{value}'\n"));
    }
}

#[test]
fn a_word_among_the_numbers_is_shown() {
    assert_eq!(
        refused_target("--sphere", "0,zero,0,1"),
        "error: --sphere needs numbers x,y,z,radius; 'zero' is not a number\n"
    );
    assert!(refused_target("--sphere", "").contains("'' is not a number"));
    assert!(refused_target("--sphere", "--json").contains("'--json' is not a number"));
}

#[test]
fn what_the_library_refuses_carries_the_flag_and_the_value() {
    for (flag, value, reason) in [
        ("--triangle", "0,0,0,NaN,0,0,0,1,0", "b.x is NaN: it must be a finite number"),
        ("--triangle", "0,0,0,1,0,0,0,inf,0", "c.y is inf: it must be a finite number"),
        ("--sphere", "0,0,0,-1", "radius is -1: it must be greater than 0"),
        ("--sphere", "0,2e9,0,1", "center.y is 2e9: its magnitude must not exceed 1e9"),
        ("--box", "0,0,0,1,-2,3", "half_extents.y is -2: it must be 0 or greater"),
        (
            "--box",
            "0,0,0,1,2,3,0,0,0,0",
            "rotation has length 0: it is too short to give a direction",
        ),
        (
            "--half-space",
            "0,0,0,0,0,0",
            "normal has length 0: it is too short to give a direction",
        ),
        ("--other-capsule", "0,0,0,0,0,1,0", "radius is 0: it must be greater than 0"),
    ] {
        let error = refused_target(flag, value);
        assert_eq!(error, format!("error: {flag} {value}: {reason}\n"));
    }
}

#[test]
fn a_bad_capsule_or_motion_carries_its_flags() {
    let error = refusal(&[&["overlap", "--capsule", "nan,0,0,0,0,1,1"], &FLOOR]);
    assert_eq!(
        error,
        "error: --capsule nan,0,0,0,0,1,1: p0.x is NaN: it must be a finite number\n"
    );
    let error =
        refusal(&[&["overlap", "--feet", "0,0,0", "--radius", "-1", "--height", "2"], &FLOOR]);
    assert_eq!(
        error,
        "error: --feet 0,0,0 --radius -1 --height 2 --axis 0,0,1: \
         radius is -1: it must be greater than 0\n"
    );
    let error = refusal(&[&["sweep"], &PERSON, &["--motion", "0,0,nan"], &FLOOR]);
    assert_eq!(error, "error: --motion 0,0,nan: motion.z is NaN: it must be a finite number\n");
    let backwards = ["--direction", "0,0,1", "--distance", "-3"];
    let error = refusal(&[&["sweep"], &PERSON, &backwards, &FLOOR]);
    assert_eq!(
        error,
        "error: --direction 0,0,1 --distance -3: distance is -3: it must be 0 or greater\n"
    );
}

#[test]
fn missing_flags_are_named() {
    assert_eq!(
        refusal(&[&["overlap"], &FLOOR]),
        "error: no capsule: give --capsule, or --feet with --radius and --height\n"
    );
    let no_height = ["--feet", "0,0,0", "--radius", "1"];
    assert!(refusal(&[&["overlap"], &no_height, &FLOOR]).starts_with("error: no capsule: "));
    assert_eq!(
        refusal(&[&["sweep"], &PERSON, &FLOOR]),
        "error: no motion: give --motion, or --direction with --distance\n"
    );
    let no_distance = ["--direction", "0,0,1"];
    assert!(
        refusal(&[&["sweep"], &PERSON, &no_distance, &FLOOR]).starts_with("error: no motion: ")
    );
    assert_eq!(
        refusal(&[&["closest"], &PERSON]),
        "error: nothing to query: give a SCENE, or one or more of \
         --triangle, --box, --sphere, --other-capsule, --half-space\n"
    );
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    for flags in [["--feet", "0,0,0"], ["--radius", "1"], ["--height", "2"], ["--axis", "0,1,0"]] {
        let error = refusal(&[&["overlap"], &PERSON, &flags, &FLOOR]);
        assert!(error.contains("'--capsule <x,y,z,x,y,z,radius>' cannot be used with"), "{error}");
    }
    let both = ["--motion", "0,0,1", "--distance", "3"];
    let error = refusal(&[&["sweep"], &PERSON, &both, &FLOOR]);
    assert!(error.contains("'--motion <x,y,z>' cannot be used with"), "{error}");
}

#[test]
fn flags_that_do_not_exist_are_refused() {
    assert!(refused_target("--cube", "1").contains("unexpected argument '--cube'"));
    assert!(refusal(&[&["push"]]).contains("unrecognized subcommand 'push'"));
    assert!(refusal(&[]).contains("Usage: capsweep"));
    let sides = ["--motion", "0,0,1", "--sides", "back"];
    let error = refusal(&[&["sweep"], &PERSON, &sides, &FLOOR]);
    assert!(error.contains("[possible values: front, both]"), "{error}");
    let tall = ["--feet", "0,0,0", "--radius", "1", "--height", "tall"];
    let error = refusal(&[&["overlap"], &tall, &FLOOR]);
    assert!(error.contains("invalid value 'tall' for '--height <metres>'"), "{error}");
}
