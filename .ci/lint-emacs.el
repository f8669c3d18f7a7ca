;;; lint-emacs.el --- Checks packages for Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs --quick --batch --load .ci/lint-emacs.el FILE...
;; compiles each file, in a folder that is thrown away, and checks its
;; documentation.  Any warning fails.

;;; Code:

(require 'bytecomp)
(require 'checkdoc)

(let* ((files command-line-args-left)
       (folder (make-temp-file "lint-emacs" t))
       (load-path (cons (file-name-directory (expand-file-name (car files)))
                        load-path))
       (byte-compile-error-on-warn t)
       (byte-compile-dest-file-function
        (lambda (file)
          (expand-file-name (concat (file-name-base file) ".elc") folder)))
       (failures 0))
  (setq command-line-args-left nil)
  (dolist (file files)
    (unless (byte-compile-file (expand-file-name file))
      (setq failures (1+ failures)))
    (cl-letf (((symbol-function 'warn)
               (lambda (&rest said)
                 (setq failures (1+ failures))
                 (message "%s" (string-trim (apply #'format said))))))
      (checkdoc-file file)))
  (delete-directory folder t)
  (kill-emacs (if (zerop failures) 0 1)))

;;; lint-emacs.el ends here
